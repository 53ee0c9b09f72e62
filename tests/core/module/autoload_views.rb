# Who sees what of a constant while its file is loaded.
require "tmpdir"
dir = File.realpath(Dir.mktmpdir)
at_exit { Dir.children(dir).each { |name| File.delete(File.join(dir, name)) } and Dir.rmdir(dir) }
write = ->(name, text) { File.join(dir, name).tap { |path| File.write(path, text) } }

module Views
  def self.of(name) = [const_defined?(name), autoload?(name), const_source_location(name)]
end

# The loading thread sees nothing before the assignment; the others see the autoload until the end.
path = write["slow.rb", <<~RUBY]
  $before = Views.of(:Slow)
  module Views
    module Slow
      $during = Thread.new { [defined?(Views::Slow), *Views.of(:Slow)] }.value
      $mine = Views.of(:Slow)
    end
  end
RUBY
Views.autoload :Slow, path
registered = [__FILE__, __LINE__ - 1]
Views.of(:Slow) == [true, path, registered] # => true
Views::Slow.class # => Module
$before == [false, nil, registered] # => true
$during == ["expression", true, path, registered] || $during == ["constant", true, path, registered] # => true
$mine == [true, nil, [path, 3]] # => true
Views.of(:Slow) == [true, nil, [path, 3]] # => true

# A plain require of the file is such a load too.
path = write["plain.rb", "$inside = [defined?(Views::Plain), Views.autoload?(:Plain)]; Views::Plain = 1"]
Views.autoload :Plain, path
require path
$inside # => [nil, nil]
Views::Plain # => 1

# A file that does not define its constant: looked up further out, then forgotten.
$elsewhere = write["elsewhere.rb", "Elsewhere = 2"]
module Views
  autoload :Elsewhere, $elsewhere
  Elsewhere # => 2
end
Views.const_defined?(:Elsewhere, false) # => false
Views.autoload?(:Elsewhere) # => nil

# A superclass of the same name.
path = write["same.rb", "class Same; end; module Views; class Same < Same; end; end"]
Views.autoload :Same, path
Views::Same.superclass # => Same

# Flags of the autoload stay with the constant.
path = write["hidden.rb", "module Views; class Hidden; end; end"]
Views.autoload :Hidden, path
Views.private_constant :Hidden
Views.module_eval { Views.const_get(:Hidden) }.name # => "Views::Hidden"
Views::Hidden # raises NameError: private constant Views::Hidden referenced

# Many threads, one load.
path = write["counted.rb", "$loads = ($loads || 0) + 1; Thread.pass; sleep 0.01; module Views; Counted = $loads; end"]
Views.autoload :Counted, path
8.times.map { Thread.new { Views::Counted } }.map(&:value).uniq # => [1]
