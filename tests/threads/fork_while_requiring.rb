# The child of a fork loads what a thread that it does not have was loading.
require "tempfile"
file = Tempfile.create(["slow", ".rb"])
file.puts "sleep 0.3; class Slow; end"
file.close
Object.autoload(:Slow, file.path)
loader = Thread.new { Slow }
Thread.pass until loader.stop?
children = Array.new(2) { Thread.new { fork { Slow && exit!(3) } } }.map(&:value)
children.map { |pid| Process.wait2(pid)[1].exitstatus } # => [3, 3]
loader.value # => Slow
File.delete(file.path)
