# The iterators make pieces as they are asked for: no list of the whole text comes first. What the block does to the
# string meanwhile changes nothing of what is yielded.
# timeout: 60
def memory = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

def time = Process.clock_gettime(Process::CLOCK_MONOTONIC)

s = "0123456789abcdef" * 500_000
lines = "some line\n" * 800_000
cyr = "жук" * 1_300_000
[s, cyr].each(&:size)
before = memory
t0 = time
30.times do
  s.each_char { break }
  s.each_codepoint { break }
  s.each_byte { break }
  s.each_grapheme_cluster { break }
  cyr.each_char { break }
  cyr.each_grapheme_cluster { break }
  lines.each_line { break }
  lines.each_line("") { |l| break }
end
time - t0 < 5 # => true
memory - before < 60_000 # => true
[s.each_char.first(3), s.each_codepoint.first(2), s.each_byte.first(2), s.each_grapheme_cluster.first(2)] # => [["0", "1", "2"], [48, 49], [48, 49], ["0", "1"]]
[cyr.each_char.next, lines.each_line.first(2), lines.each_line(chomp: true).next, s.each_char.lazy.map(&:ord).first(1)] # => ["ж", ["some line\n", "some line\n"], "some line", [48]]

# All of them, in order, across the parts in which they are made.
[1022, 1023, 1024, 1025, 2047, 2048, 2049, 5000].map { |n| t = "ab" * (n / 2) + "c" * (n % 2); t.each_char.to_a.join == t && t.each_char.count == n } # => [true, true, true, true, true, true, true, true]
mixed = (1..3000).map { |i| "e\u0301🇫🇷#{[i % 0x700 + 0x80].pack("U")}\r\n" }.join
mixed.each_grapheme_cluster.to_a == mixed.scan(/\X/) # => true
mixed.each_char.to_a == mixed.chars # => true
mixed.each_codepoint.to_a == mixed.unpack("U*") # => true
mixed.each_line.to_a == mixed.split(/(?<=\n)/) # => true
mixed.each_line("🇫").to_a == mixed.lines("🇫") # => true
mixed.encode("UTF-16LE").each_grapheme_cluster.map { |c| c.encode("UTF-8") } == mixed.scan(/\X/) # => true
long = "a" + "\u0301" * 5000 + "b"
long.each_grapheme_cluster.map(&:size) # => [5001, 1]
paragraphs = (1..2500).map { |i| "p#{i}\nq\n\n\n" }.join
paragraphs.each_line("").to_a == paragraphs.lines("") # => true
paragraphs.each_line("", chomp: true).to_a.last # => "p2500\nq"
broken = ("a" * 1500 + "\xE3\x81" + "b" * 700) * 2
broken.each_char.to_a == broken.chars # => true
broken.each_grapheme_cluster.to_a == broken.grapheme_clusters # => true
seen = 0
(broken.each_codepoint { seen += 1 }) # raises ArgumentError: invalid byte sequence in UTF-8
seen # => 1500

# The block changes the string.
def count(name, n) = (t = "x\n" * n).then { c = 0; t.__send__(name) { c += 1; t.replace("") }; c }
%i[each_char each_codepoint each_grapheme_cluster each_line].map { |name| [count(name, 10), count(name, 3000)] } # => [[20, 6000], [1, 1], [20, 6000], [10, 3000]]
count_wide = ->(name) { (t = "жx" * 2000).then { c = 0; t.__send__(name) { c += 1; t.replace("") }; c } }
%i[each_char each_codepoint each_grapheme_cluster each_line].map(&count_wide) # => [4000, 4000, 4000, 1]
t = "a,b,c"
got = []
t.each_line(",") { |l| got << l; t << "!" }
got # => ["a,", "b,", "c"]
t # => "a,b,c!!!"
"".each_line { raise } # => ""
"ab".each_char { } # => "ab"
"a\nb".each_line(nil).to_a # => ["a\nb"]
"ab".each_line(5) { } # raises TypeError: no implicit conversion of Integer into String
[t.each_char.size, t.each_grapheme_cluster.size, t.each_line.size] # => [8, 8, nil]
