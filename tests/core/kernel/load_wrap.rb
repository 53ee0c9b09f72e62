# load(file, wrap): definitions go to a module, self is a copy of main.
require "tmpdir"
dir = File.realpath(Dir.mktmpdir)
at_exit { Dir.children(dir).each { |name| File.delete(File.join(dir, name)) } and Dir.rmdir(dir) }
path = File.join(dir, "wrapped.rb")
File.write(path, <<~RUBY)
  WRAPPED = 1
  class Wrapped; end
  def wrapped_method = :called
  $seen = [self, Module.nesting.size, wrapped_method, method(:wrapped_method).owner, Wrapped.name, String]
RUBY
load(path, true) # => true
$seen.first.to_s # => "main"
$seen.first.equal?(self) # => false
$seen[1] # => 1
$seen[2] # => :called
$seen[3].class # => Module
$seen[4].end_with?("::Wrapped") # => true
defined?(WRAPPED) # => nil
wrapped_method # raises NameError
mine = Module.new
load(path, mine) # => true
mine::WRAPPED # => 1
mine.private_instance_methods(false) # => [:wrapped_method]
$seen[3] == mine # => true
$seen.first.singleton_class.ancestors[1] == mine # => true
