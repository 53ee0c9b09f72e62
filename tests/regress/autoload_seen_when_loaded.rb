# Other threads see an autoloaded module only after its file has been loaded.
require "tmpdir"
dir = Dir.mktmpdir
File.write("#{dir}/half.rb", "module Half\n  sleep 0.05\n  def self.whole = :whole\nend\n")
autoload :Half, "#{dir}/half.rb"
8.times.map { Thread.new { Half.whole } }.map(&:value).uniq # => [:whole]
Half.whole # => :whole
module Outer; end
File.write("#{dir}/inner.rb", "class Outer::Inner\n  sleep 0.05\n  LIMIT = 5\nend\n")
Outer.autoload(:Inner, "#{dir}/inner.rb")
4.times.map { |i| Thread.new { i.even? ? Outer::Inner::LIMIT : Outer.const_get(:Inner)::LIMIT } }.map(&:value) # => [5, 5, 5, 5]
File.delete("#{dir}/half.rb", "#{dir}/inner.rb")
Dir.rmdir(dir)
