# The names of an open directory are its own memory: a closed one gives them back, and the collector hears of open ones.
require "tmpdir"

names = (1..2_000).map { |i| "a name that is long enough to take memory #{i}" }
grown = Dir.mktmpdir do |path|
  names.each { |name| File.write("#{path}/#{name}", "") }
  resident = -> { File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i }
  20.times { Dir.open(path).close }
  before = resident.()
  300.times { Dir.open(path).close }
  closed = resident.() - before
  300.times { Dir.open(path) }
  [closed, resident.() - before]
end
grown.map { |kilobytes| kilobytes < 30_000 } # => [true, true]

dir = Dir.open("/")
dir.rewind
dir.children.include?("proc") # => true
dir.close
dir.read # raises IOError: closed directory
