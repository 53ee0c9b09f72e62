# Long native work ends soon after somebody interrupts its thread, and the program goes on.
# timeout: 120
require "digest"
require "prism"
require "rdiscount"
require "ripper"
require "timeout"
require "zlib"

# How long after its time was over a block ended. Where each allocation collects, a few take seconds.
SOON = ENV["RUBELLITE_STRESS"] == "gc" ? 30 : 3
def late
  t0 = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  Timeout.timeout(0.1) { yield }
  :finished
rescue Timeout::Error
  seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - t0 - 0.1
  seconds < SOON ? :soon : seconds
end

# 4 GB of zeros, a block of which can be repeated.
block = Zlib::Deflate.new(9, -15).deflate("\0" * (16 << 20), Zlib::FULL_FLUSH)
bomb = block * 256 + "\x03\x00"
late { Zlib::Inflate.new(-15).inflate(bomb) } # => :soon
late { Zlib::Inflate.new(-15).inflate(bomb) { |piece| piece.size } } # => :soon
late { Zlib::Inflate.inflate("\x78\xDA".b + bomb) } # => :soon
late { Zlib.gunzip("\x1F\x8B\x08\0\0\0\0\0\0\x03".b + bomb) } # => :soon

data = Random.new(1).bytes(16 << 20) * 16
late { Zlib.deflate(data, 9) } # => :soon
late { Zlib.gzip(data, level: 9) } # => :soon
late { loop { Digest::SHA256.hexdigest(data) } } # => :soon
late { loop { Digest::MD5.new.update(data) } } # => :soon
late { loop { Zlib.crc32(data) } } # => :soon
data = nil

big = 7**3_000_000
late { loop { big * big / 3**2_000_001 } } # => :soon
late { 7**50_000_000 } # => :soon
late { big.to_s } # => :soon
late { ("a" * 60_000) =~ /(?=(a+))a*b\1|(x+x+)+y/ } # => :soon
late { ("x" * 50 + "zy").scan(/(x+x+)+\1y/) } # => :soon
late { RDiscount.new("# Heading\n\nSome *text* with a [link][ref].\n\n* a\n* b\n\n" * 400_000).to_html } # => :soon

# Where each allocation collects, a collection takes as long as there are objects.
text = "äÖ b" * (ENV["RUBELLITE_STRESS"] == "gc" ? 5_000 : 4_000_000)
wide = text.encode("UTF-16LE")
late { loop { text.swapcase } } # => :soon
late { loop { wide.upcase } } # => :soon
late { loop { wide.casecmp?(wide) } } # => :soon
late { loop { text.grapheme_clusters } } # => :soon
late { loop { (text + "zß").succ } } # => :soon
late { loop { Regexp.escape(text) } } # => :soon
late { loop { eval("a = [1, 'b', :c]\n" * 400_000) } } # => :soon
late { loop { Ripper.lex("a = [1, 'b', :c]\n" * 200_000) } } # => :soon
late { loop { Prism.parse_success?("a = [1, 'b', :c]\n" * 200_000) } } # => :soon
late { loop { Regexp.new("(?:abc|d.f)" * 1_000_000) } } # => :soon
late { loop { Marshal.dump(text.chars.first(text.length / 16)) } } # => :soon

Zlib.inflate(Zlib.deflate("goes on")) # => "goes on"
