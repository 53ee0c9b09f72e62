# `using` in a block at toplevel holds for the code around the block as well, from there on.
module Shouts
  refine(String) { def call = "#{self}!" }
end
said = []
2.times do |i|
  said << ("a".call rescue "none")
  using Shouts if i == 0
  said << "b".call
end
said # => ["none", "b!", "a!", "b!"]
"c".call # => "c!"
# Methods of the core are not written in Ruby, whatever they are written in.
refused = begin
  Module.new { refine(Integer) { import_methods Enumerable } }
rescue ArgumentError => error
  error.message[/\A.*:/]
end
refused # => "Can't import method which is not defined with Ruby code:"
