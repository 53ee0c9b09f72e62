# Which letters begin the name of a constant is a matter of its encoding.

names = ["\u00de", "\u00c0"].flat_map { |c| [c, c.encode("iso-8859-15"), c.encode("windows-1252")] } +
  ["\u0391", "\uff21"].flat_map { |c| [c, c.encode("cp932"), c.encode("euc-jp")] }
seen = names.map do |name|
  m = Module.new
  before = [m.const_defined?(name), eval("defined?(m::#{name})")]
  m.const_set(name, 42)
  [before, m.const_get(name), m.constants.map(&:encoding) == [name.encoding], eval("defined?(m::#{name})"),
   m.send(:remove_const, name)]
end
seen.uniq # => [[[false, nil], 42, true, "constant", 42]]
m = Module.new
names.each { |name| m.module_eval("class #{name}; end") }
m.constants.size # => 12
["\u00df", "\u00e0"].map { |c| m.const_set(c.encode("iso-8859-15"), 1) rescue $!.class } # => [NameError, NameError]
m.const_set("\xde".b, 1) rescue $!.class # => NameError

# A module of a class of modules without a name shows its class.
class Kind < Module; end
Kind.new.to_s.sub(/0x\h+/, "0xXX") # => "#<Kind:0xXX>"
Class.new(Module).new.to_s.gsub(/0x\h+/, "0xXX") # => "#<#<Class:0xXX>:0xXX>"
Module.new.to_s.sub(/0x\h+/, "0xXX") # => "#<Module:0xXX>"

# No name is in an encoding of wide units.
m.const_set("A".encode("utf-16le"), 1) rescue $!.class # => NameError
