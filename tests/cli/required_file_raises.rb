# What no Ruby code has called stands in the program, and in no line of it.
require "rbconfig"
require "tmpdir"
lines = Dir.mktmpdir { |dir|
  File.write("#{dir}/bad.rb", "def f = raise('x')\nf\n")
  File.write("#{dir}/program.rb", "puts 1\n")
  said = ->(*arguments) {
    IO.popen([RbConfig.ruby, "--disable=gems", "-r#{dir}/bad.rb", *arguments, chdir: dir, err: [:child, :out]], &:read)
  }
  [said.("-e", "1").lines.last, said.("program.rb").lines.last, said.("program.rb").lines.size]
}
lines # => ["\tfrom -e:in 'Kernel#require'\n", "\tfrom program.rb:in 'Kernel#require'\n", 3]
IO.popen([RbConfig.ruby, "--disable=gems", "-rno/such/file", "-e", "1", err: [:child, :out]], &:read) # => "-e:in 'Kernel#require': cannot load such file -- no/such/file (LoadError)\n"
error = Thread.new(&1.method(:fdiv)).tap { |thread| thread.report_on_exception = false }.join rescue $!
error.backtrace_locations[0].then { |location| [location.path, location.lineno, location.absolute_path] } # => [nil, 0, nil]
