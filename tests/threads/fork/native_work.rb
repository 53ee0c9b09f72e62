# A child forked while other threads compress, convert, compute and start threads outside the lock can do the same.
# timeout: 60
require "zlib"
require "digest"
def child
  reader, writer = IO.pipe
  pid = fork do
    writer.write(Marshal.dump(yield))
    writer.close
    exit!(0)
  end
  writer.close
  answer = Marshal.load(reader.read)
  reader.close
  Process.wait(pid)
  answer
end
text = "abc é " * 20_000
packed = Zlib.deflate(text)
number = 7**4000
works = [
  -> { Zlib.deflate(text).size }, -> { Zlib.inflate(packed).size }, -> { text.encode("UTF-16LE").size },
  -> { text.encode("EUC-JP", undef: :replace).size },
  -> { (number * number).to_s.size }, -> { text =~ /zzz|qqq/ }, -> { Digest::SHA256.hexdigest(text) },
  -> { text.unicode_normalize(:nfd).size },
  -> { Array.new(5) { |i| Thread.new { i } }.sum(&:value) }, -> { GC.start },
]
expected = works.map(&:call)
stop = false
busy = works.map { |work| Thread.new { work.call until stop } }
Array.new(10) { child { works.map(&:call) == expected } }.uniq # => [true]
Array.new(5) { child { works.map { |work| Thread.new(&work) }.map(&:value) == expected } }.uniq # => [true]
stop = true
busy.each(&:join).size # => 10
# Several threads fork at once, and so do their children.
forkers = Array.new(4) do
  Thread.new do
    Array.new(5) { Process.wait2(fork { exit!(Process.wait2(fork { exit!(2) })[1].exitstatus + 1) })[1].exitstatus }
      .uniq
  end
end
forkers.map(&:value) # => [[3], [3], [3], [3]]
