# Long work on strings ends soon after somebody interrupts its thread, and other threads run beside it.
# timeout: 120
require "timeout"

# What keeps its thread busy ends with its time, and lets another thread run at least every half second.
def polite
  stop = false
  gap = 0
  started = Thread::Queue.new
  other = Thread.new do
    last = now
    started << true
    until stop
      sleep 0.001
      gap = [gap, now - last].max
      last = now
    end
  end
  started.pop
  t0 = now
  Timeout.timeout(0.1) { loop { yield } }
rescue Timeout::Error
  late = now - t0 - 0.1
  stop = true
  other.join
  late < 1 && gap < 0.5 ? :polite : [late, gap]
end
def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

text = "日本語のテキスト、漢字とかな: text with é and ü.\n" * 400_000
binary = "\x93\xFA\x96\x7B\x01\x02".b * 4_000_000
ascii = "plain text = 12\n" * 1_500_000
polite { text.encode("ISO-2022-JP", undef: :replace) } # => :polite
polite { text.encode("US-ASCII", xml: :text) } # => :polite
polite { text.encode("UTF-16LE").encode("UTF-8") } # => :polite
polite { text.encode("EUC-JP", undef: :replace, crlf_newline: true) } # => :polite
polite { text.dup.encode!("Shift_JIS", fallback: ->(c) { "?" }) } # => :polite
polite { text.unicode_normalize(:nfkd) } # => :polite
polite { text.unicode_normalized?(:nfc) } # => :polite
polite { binary.dup.force_encoding("UTF-8").scrub("?") } # => :polite

polite { binary.unpack("C*") } # => :polite
polite { binary.unpack("w*") } # => :polite
polite { text.unpack("U*") } # => :polite
polite { binary.unpack("n*") } # => :polite
polite { binary.unpack1("H*").size } # => :polite
polite { binary.unpack1("B*").size } # => :polite
polite { ascii.unpack("M") } # => :polite
polite { ascii.unpack("m") } # => :polite
polite { ascii.unpack("u") } # => :polite
numbers = Array.new(ENV["RUBELLITE_STRESS"] == "gc" ? 300_000 : 3_000_000, 300)
polite { numbers.pack("N*") } # => :polite
polite { numbers.pack("w*") } # => :polite
polite { numbers.pack("U*") } # => :polite
polite { numbers.pack("g*") } # => :polite
polite { [binary].pack("m") } # => :polite
polite { [binary].pack("u") } # => :polite
polite { [ascii].pack("M") } # => :polite
polite { [ascii].pack("H*") } # => :polite
polite { [ascii].pack("b*") } # => :polite

polite { Random.bytes(200_000_000) } # => :polite
polite { Random.urandom(200_000_000) } # => :polite
polite { "secret".crypt("$6$rounds=900000000$salt$") } # => :polite
polite { Integer.sqrt(7**600_000) } # => :polite
polite { ascii.tr("a-y", "b-z") } # => :polite
polite { ascii.index("none of this") } # => :polite
polite { ascii =~ /(t+e+x+)+y/ } # => :polite
polite { numbers.sort_by { |n| -n } } # => :polite
polite { Random.new(1).then { |r| Array.new(100_000) { r.rand } }.sort } # => :polite

# What was changed meanwhile: a string that was frozen keeps its text.
string = text.dup
freezer = Thread.new { sleep 0.005; string.freeze }
outcome = begin
  string.encode!("ISO-2022-JP", undef: :replace)
  :done
rescue FrozenError
  :frozen
end
freezer.join
outcome == :frozen ? string == text : string.encoding == Encoding::ISO_2022_JP # => true
# Results are whole.
[binary].pack("m").unpack1("m") == binary # => true
[binary].pack("m0").unpack1("m0") == binary # => true
[binary].pack("u").unpack1("u") == binary # => true
[ascii].pack("M").unpack1("M") == ascii # => true
[binary.unpack1("H*")].pack("H*") == binary # => true
[binary.unpack1("b*")].pack("b*") == binary # => true
text.encode("UTF-16").encode("UTF-8") == text # => true
text.encode("ISO-2022-JP", undef: :replace).encode("UTF-8") == text.gsub(/[éü]/, "?") # => true
text.encode("EUC-JP").encode("UTF-16LE").encode("UTF-8") == text # => true
"é あ\u{1F600}<".encode("US-ASCII", xml: :text) # => "&#xE9; &#x3042;&#x1F600;&lt;"
