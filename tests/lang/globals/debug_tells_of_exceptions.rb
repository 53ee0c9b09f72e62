# flags: -d
# With `-d` or `$DEBUG` every exception is told of where it is raised.
require "stringio"
$DEBUG # => true
$real, $told = $stderr, StringIO.new
$stderr = $told
def told
  yield
  $told.string.gsub(/^.*?(?=Exception ')/, "").gsub(/at \S*debug_tells_of_exceptions.rb:\d+/, "here")
ensure
  $told.string = +""
end
told { raise "a" rescue 0 } # => "Exception 'RuntimeError' here - a\n"
told { nil.foo rescue 0 } # => "Exception 'NoMethodError' here - undefined method 'foo' for nil\n"
told { raise "two\nlines" rescue 0 } # => "Exception 'RuntimeError' here - two\nlines\n"
# Each time it is raised; not of exits, of `throw`, of full stacks, nor of what stays inside.
told { begin; begin; raise "b"; rescue; raise; end; rescue; end } # => "Exception 'RuntimeError' here - b\nException 'RuntimeError' here - b\n"
told { begin; raise "c"; ensure; 1; end rescue 0 } # => "Exception 'RuntimeError' here - c\n"
told { begin; exit; rescue SystemExit; end } # => ""
told { catch(:x) { throw :x } } # => ""
told { Float("z", exception: false) } # => ""
told { Rational(Object.new, exception: false) } # => "Exception 'TypeError' here - can't convert Object into Rational\n"
told { [1].each { break } } # => ""
# What the message raises takes the place of the exception.
class Bad < StandardError
  def to_s = raise("inner")
end
told { begin; raise Bad; rescue => e; $seen = e.class; end } # => ""
$seen # => RuntimeError
def deep = deep
told { begin; deep; rescue SystemStackError => e; $seen = e.class; end } # => ""
$seen # => SystemStackError
$DEBUG = nil
told { raise "d" rescue 0 } # => ""
$stderr = $real
