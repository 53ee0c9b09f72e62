# How often methods ran, by class, name and place.
require "coverage"
require "tmpdir"

dir = Dir.mktmpdir
file = File.join(dir, "a.rb")
File.write(file, <<~RUBY)
  class Measured
    def x(a)
      a
    end
    def self.y = 1
    private def z
    end
    define_method(:w) { 3 }
    alias other x
  end
  Measured.new.x(1)
  Measured.new.x(2)
  Measured.y
  Measured.new.w
RUBY
Coverage.supported?(:methods) # => true
Coverage.start(methods: true)
load file
found = Coverage.peek_result[file]
found.keys # => [:methods]
singleton = Measured.singleton_class
found[:methods].select { |(owner, *), _| owner == Measured }.to_a.sort_by { |key, _| key[2] } # => [[[Measured, :x, 2, 2, 4, 5], 2], [[Measured, :z, 6, 10, 7, 5], 0], [[Measured, :w, 8, 20, 8, 25], 1]]
found[:methods][[singleton, :y, 5, 2, 5, 16]] # => 1
Coverage.result(clear: true, stop: false)
Measured.y
Coverage.result[file][:methods][[singleton, :y, 5, 2, 5, 16]] # => 1
File.delete(file)
Dir.rmdir(dir)
