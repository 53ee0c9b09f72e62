# One thread runs an operation that may leave the lock while another changes the operation's object once. The result
# must be that of one of the two orders, unless the operation is said to be open to the change.
#
#   race.rb SEED ROUNDS [ONLY]     ends with status 1 and says what went wrong

require "stringio"
require "strscan"
require "zlib"
require "digest"
require "json"
require "bigdecimal"
require "socket"
require "set"

LONG = ("foo bar, b\u00e9z 12.5; " * 400).freeze
OTHER = ("x1 bar " * 700).freeze
ROWS = Array.new(300) { |i| [i * 7919 % 311, "k#{i}", { i.to_s => [i, nil, 1.5] }] }

# name => how the object is made, what may be changed meanwhile, the operation.
Race = Struct.new(:make, :changes, :operation, :open)

STRING_CHANGES = { replace: ->(s) { s.replace(OTHER) }, clear: ->(s) { s.clear }, append: ->(s) { s << "tail" },
                   freeze: ->(s) { s.freeze },
                   encode: ->(s) { s.force_encoding("BINARY") }, squeeze: ->(s) { s.gsub!("b", "") },
                   setbyte: ->(s) { s.setbyte(0, 90) } }.freeze
ARRAY_CHANGES = { replace: ->(a) { a.replace([3, 1, 2]) }, clear: ->(a) { a.clear }, push: ->(a) { a.push(a[0]) },
                  freeze: ->(a) { a.freeze },
                  reverse: ->(a) { a.reverse! }, shift: ->(a) { a.shift(3) }, pop: ->(a) { a.pop } }.freeze
HASH_CHANGES = { clear: ->(h) { h.clear }, store: ->(h) { h["new"] = 1 }, delete: ->(h) { h.delete("3") },
                 replace: ->(h) { h.replace("z" => 1) },
                 rehash: ->(h) { h.rehash }, freeze: ->(h) { h.freeze }, shift: ->(h) { h.shift } }.freeze

RACES = {}
def string(name, open: false, make: -> { +LONG }, &operation)
  RACES[name] = Race.new(make, STRING_CHANGES, operation, open)
end
def array(name, open: false, make: -> { ROWS.dup }, &operation)
  RACES[name] = Race.new(make, ARRAY_CHANGES, operation, open)
end
def hash(name, open: false, &operation)
  RACES[name] = Race.new(-> { ROWS.to_h { |row| [row[0].to_s, row] } }, HASH_CHANGES, operation, open)
end

string("gsub") { |s| s.gsub(/b./, "<\\0>") }
string("gsub text") { |s| s.gsub("bar", "qux") }
string("gsub hash") { |s| s.gsub(/[a-c]/, { "a" => "1", "b" => "2" }) }
string("gsub!") { |s| s.gsub!(/b./, "Q"); :done }
string("sub!") { |s| s.sub!(/12.*\z/m, "Q"); :done }
string("scan") { |s| s.scan(/\w+/) }
string("scan groups") { |s| s.scan(/(\w)(\d)/) }
string("match") { |s| s.match(/(z).*(bar)/m)&.to_a }
string("match?") { |s| s.match?(/(a|b|c)*zzz/) }
string("index") { |s| s.index("absent") }
string("rindex") { |s| s.rindex(/fo+/) }
string("tr") { |s| s.tr("a-y", "b-z") }
string("delete") { |s| s.delete("a-f") }
string("squeeze") { |s| s.squeeze }
string("count") { |s| s.count("a-f", "^c") }
string("split") { |s| s.split(/[ ,]+/) }
string("split text") { |s| s.split(", ") }
string("partition") { |s| s.partition(/; b/) }
string("upcase") { |s| s.upcase }
string("reverse") { |s| s.reverse }
string("encode") { |s| s.encode("UTF-16LE", invalid: :replace, undef: :replace) }
string("encode xml") { |s| s.encode(xml: :attr) }
string("unicode_normalize") { |s| s.unicode_normalize(:nfd) }
string("scrub") { |s| s.scrub }
string("valid_encoding?") { |s| s.valid_encoding? }
string("inspect") { |s| s.inspect }
string("dump") { |s| s.dump }
string("unpack") { |s| s.unpack("C*") }
string("unpack1") { |s| s.unpack1("u") }
string("pack") { |s| [s].pack("m0") }
string("crypt hash") { |s| s.sum }
string("each_line") { |s| s.each_line(" ").to_a }
string("chars") { |s| s.chars }
string("codepoints") { |s| s.codepoints }
string("grapheme_clusters") { |s| s.grapheme_clusters }
string("multiply") { |s| s * 20 }
string("succ") { |s| s.succ }
string("to_i", make: -> { +("123456789" * 900) }) { |s| s.to_i }
string("to_f", make: -> { +("123456789" * 900) }) { |s| s.to_f }
string("to_sym") { |s| s.to_sym }
string("hash") { |s| s.hash }
string("compare") { |s| s <=> LONG }
string("casecmp") { |s| s.casecmp(LONG.upcase) }
string("Regexp.escape") { |s| Regexp.escape(s) }
string("Regexp.new") { |s| Regexp.new(s).source }
string("Zlib.deflate") { |s| Zlib.deflate(s) }
string("Zlib.gzip") { |s| Zlib.gunzip(Zlib.gzip(s)) }
string("Zlib.inflate", make: -> { Zlib.deflate(LONG * 4) }) { |s| Zlib.inflate(s).size }
string("Zlib.crc32") { |s| Zlib.crc32(s) }
string("deflate stream") { |s| z = Zlib::Deflate.new; z << s; z.finish.size }
string("Digest::SHA256") { |s| Digest::SHA256.hexdigest(s) }
string("Digest::MD5 <<") { |s| (Digest::MD5.new << s).hexdigest }
string("JSON.generate") { |s| JSON.generate([s]) }
string("JSON.parse", make: -> { JSON.generate(ROWS) }) { |s| JSON.parse(s) }
string("Marshal.load", make: -> { Marshal.dump(ROWS) }) { |s| Marshal.load(s) }
string("Marshal.dump") { |s| Marshal.dump(s) }
string("StringIO", open: true) { |s| StringIO.new(s).each_line(" ").map(&:size).sum }
string("StringScanner", open: true) { |s| c = StringScanner.new(s); n = 0; n += 1 while c.scan_until(/b/); n }
string("File.write") { |s| File.write("race", s); File.read("race", encoding: s.encoding) }
string("pipe") { |s| r, w = IO.pipe; t = Thread.new { r.binmode.read }; w.write(s); w.close; t.value }
string("socket") do |s|
  a, b = UNIXSocket.pair
  t = Thread.new { b.binmode.read }
  a.write(s)
  a.close
  t.value.tap { b.close }
end
string("IO.copy_stream", open: true) { |s| o = StringIO.new; IO.copy_stream(StringIO.new(s), o); o.string.size }
string("BigDecimal", make: -> { +("123456789." + "5" * 900) }) { |s| BigDecimal(s) }
string("eval", make: -> { +("[1, 2, 3]; " * 200) }) { |s| eval(s) }
string("read into", open: true) { |s| File.open(__FILE__) { |f| f.read(900, s) }; :done }
string("pread into", open: true) { |s| File.open(__FILE__) { |f| f.pread(900, 0, s) }; :done }
string("readpartial into", open: true) { |s| r, w = IO.pipe; w << LONG; r.readpartial(2000, s); :done }
string("recv into", open: true) do |s|
  a, b = UNIXSocket.pair
  a << "x" * 900
  b.recv(900, 0, s)
  [a, b].each(&:close)
  :done
end
string("pack into", open: true) { |s| [1, 2].pack("C*x900", buffer: s).size }
string("gzip read into", open: true) { |s| Zlib::GzipReader.new(StringIO.new(Zlib.gzip(LONG))).read(900); :done }
string("byteslice") { |s| s.byteslice(5, 9000) }
string("insert", open: true) { |s| 300.times { s.insert(3, "ab") }; :done }
string("concat itself", open: true) { |s| 5.times { s << s }; :done }
string("IO::Buffer.for", open: true) { |s| IO::Buffer.for(s) { |b| b.each(:U8).first(9000) } }

array("sort_by", open: true) { |a| a.sort_by { |row| row.is_a?(Array) ? row[0] : row } }
array("sort numbers", make: -> { Array.new(9000) { |i| i * 7919 % 9001 } }) { |a| a.sort }
array("sort!", open: true, make: -> { Array.new(9000) { |i| i * 7919 % 9001 } }) do |a|
  a.sort! { |x, y| y <=> x }
  :done
end
array("sort! numbers", open: true, make: -> { Array.new(9000) { |i| i * 7919 % 9001 } }) { |a| a.sort!; :done }
array("pack", make: -> { Array.new(9000) { |i| i & 127 } }) { |a| a.pack("C*") }
array("join", open: true) { |a| a.join(",") }
array("inspect", open: true) { |a| a.inspect }
array("flatten", open: true) { |a| a.flatten }
array("Marshal", open: true) { |a| Marshal.load(Marshal.dump(a)).size }
array("JSON", open: true) { |a| JSON.generate(a).size }
array("uniq", open: true) { |a| a.uniq }
array("uniq!", open: true) { |a| a.uniq!; :done }
array("pop and push", open: true) { |a| 500.times { a.push(a.pop) }; :done }
array("shuffle", open: true) { |a| a.shuffle!.size }
array("sum", open: true, make: -> { Array.new(9000) { |i| i } }) { |a| a.sum }
array("combination", open: true) { |a| a.first(9).combination(3).to_a.size }
array("product", open: true) { |a| a.first(9).product(a.first(40)).size }
array("hash", open: true) { |a| a.hash }
array("compare", open: true) { |a| a <=> ROWS }
array("delete_if", open: true) { |a| a.delete_if { |row| row.hash.odd? }; :done }
array("map!", open: true) { |a| a.map! { |row| [row] }; :done }
array("fill", open: true) { |a| a.fill { |i| i }; :done }
array("writev", open: true, make: -> { ["abc" * 900, "def" * 900, "g"] }) do |a|
  File.open("race", "w") { |f| f.write(*a) }
end
array("select", open: true, make: -> { [IO.pipe[0], $stdin] }) { |a| IO.select(a, nil, nil, 0); :done }
array("splat", open: true) { |a| [*a].size }
array("Set", open: true) { |a| Set.new(a).size }

hash("inspect", open: true) { |h| h.inspect }
hash("Marshal", open: true) { |h| Marshal.load(Marshal.dump(h)).size }
hash("JSON", open: true) { |h| JSON.generate(h).size }
hash("each", open: true) { |h| h.each { |k, _| k.upcase }; :done }
hash("to_a", open: true) { |h| h.to_a.size }
hash("rehash", open: true) { |h| h.rehash; :done }
hash("transform_values!", open: true) { |h| h.transform_values! { |v| [v] }; :done }
hash("delete_if", open: true) { |h| h.delete_if { |k, _| k.size.odd? }; :done }
hash("sort_by", open: true) { |h| h.sort_by { |k, _| k }.size }
hash("compare", open: true) { |h| h == h.dup }
hash("merge!", open: true) { |h| h.merge!("a" => 1, "3" => 2) { |_, a, _| a }; :done }
hash("group", open: true) { |h| h.group_by { |k, _| k.size }.size }
hash("splat", open: true) { |h| { **h.transform_keys(&:to_sym) }.size }
hash("any", open: true) { |h| h.any? { |k, _| k == "no" } }

IO_CHANGES = { close: ->(io) { io.close }, binmode: ->(io) { io.binmode },
               encoding: ->(io) { io.set_encoding("UTF-16LE:UTF-8") },
               read: ->(io) { io.read_nonblock(9, exception: false) },
               pos: ->(io) { io.seek(3) }, ungetc: ->(io) { io.ungetc("xyz" * 90) }, dup: ->(io) { io.dup.close },
               reopen: ->(io) { io.reopen(File.open(__FILE__)) } }.freeze
def io(name, make: -> { File.open(__FILE__) }, &operation)
  RACES["io #{name}"] = Race.new(make, IO_CHANGES, operation, true)
end
PIPE = -> { r, w = IO.pipe; Thread.new { 20.times { w << LONG; Thread.pass }; w.close rescue 0 }; r }
[["file", -> { File.open(__FILE__) }], ["pipe", PIPE]].each do |kind, make|
  io("#{kind} gets", make: make) { |f| 300.times { f.gets }; :done }
  io("#{kind} read", make: make) { |f| f.read.size }
  io("#{kind} each_char", make: make) { |f| f.each_char { |c| c }; :done }
  io("#{kind} readlines", make: make) { |f| f.readlines.size }
  io("#{kind} each_byte", make: make) { |f| f.each_byte { |b| b }; :done }
  io("#{kind} readpartial", make: make) { |f| 40.times { f.readpartial(50) }; :done }
  io("#{kind} copy", make: make) { |f| IO.copy_stream(f, File::NULL) }
  io("#{kind} sysread", make: make) { |f| 40.times { f.sysread(50) }; :done }
  io("#{kind} gzip", make: make) { |f| Zlib::GzipReader.new(f).read }
end

STRINGIO_CHANGES = { string: ->(s) { s.string = +"x" }, clear: ->(s) { s.string.clear }, close: ->(s) { s.close },
                     truncate: ->(s) { s.truncate(1) }, seek: ->(s) { s.seek(5) },
                     reopen: ->(s) { s.reopen(+"abc") }, freeze: ->(s) { s.string.freeze },
                     write: ->(s) { s.write("more" * 90) } }.freeze
{ "each_line" => ->(s) { s.each_line(" ") { |l| l } }, "read" => ->(s) { 30.times { s.read(99) } },
  "each_char" => ->(s) { s.each_char { |c| c } }, "write" => ->(s) { 200.times { s.write("abc") } },
  "printf" => ->(s) { s.printf("%s%p", "a" * 900, [1]) },
  "gzip" => ->(s) { g = Zlib::GzipWriter.new(s); g.write(LONG); g.close }, "JSON" => ->(s) { JSON.dump(ROWS, s) },
  "Marshal" => ->(s) { Marshal.dump(ROWS, s) } }.each do |name, operation|
  RACES["StringIO #{name}"] = Race.new(-> { StringIO.new(+LONG) }, STRINGIO_CHANGES, operation, true)
end

STREAM_CHANGES = { close: ->(z) { z.close }, reset: ->(z) { z.reset }, finish: ->(z) { z.finish },
                   feed: ->(z) { z << "abc" }, dup: ->(z) { z.dup.close }, avail: ->(z) { z.avail_out = 5 },
                   flush: ->(z) { z.flush_next_out } }.freeze
RACES["Deflate"] = Race.new(-> { Zlib::Deflate.new }, STREAM_CHANGES,
                            ->(z) { 6.times { z.deflate(LONG * 3) }; z.finish.size }, true)
RACES["Inflate"] = Race.new(-> { Zlib::Inflate.new }, STREAM_CHANGES,
                            ->(z) { z.inflate(Zlib.deflate(LONG * 9)).size }, true)
RACES["Deflate block"] = Race.new(-> { Zlib::Deflate.new }, STREAM_CHANGES,
                                  ->(z) { z.deflate(LONG * 9, Zlib::FULL_FLUSH) { |part| part } }, true)
RACES["Digest"] = Race.new(-> { Digest::SHA256.new },
                           { reset: ->(d) { d.reset }, update: ->(d) { d << "a" }, finish: ->(d) { d.hexdigest! },
                             dup: ->(d) { d.dup.hexdigest } }, ->(d) { 5.times { d << LONG * 5 }; d.hexdigest }, true)
RACES["Buffer"] = Race.new(-> { IO::Buffer.new(20_000) },
                           { free: ->(b) { b.free }, resize: ->(b) { b.resize(10) }, clear: ->(b) { b.clear },
                             transfer: ->(b) { b.transfer } },
                           ->(b) {
                             b.set_string(LONG)
                             b.each(:U8) { |_, n| n }
                             b.get_string.size
                             b.xor!(IO::Buffer.for("ab"))
                             :done
                           }, true)
RACES["Buffer read"] = Race.new(-> { IO::Buffer.new(20_000) },
                                { free: ->(b) { b.free }, resize: ->(b) { b.resize(10) },
                                  transfer: ->(b) { b.transfer } },
                                ->(b) {
                                  File.open(__FILE__) { |f| b.read(f, 9000) }
                                  PIPE.call.then { |r| b.read(r, 8000) }
                                }, true)
RACES["Scanner"] = Race.new(-> { StringScanner.new(+LONG) },
                            { string: ->(c) { c.string = +"ab" }, clear: ->(c) { c.string.clear },
                              terminate: ->(c) { c.terminate }, pos: ->(c) { c.pos = 7 },
                              replace: ->(c) { c.string.replace("b" * 9) } },
                            ->(c) {
                              n = 0
                              n += (c.scan_until(/b(.)/); c[1]; c.pre_match; c.post_match; c.getch ? 1 : 0) until c.eos?
                              n
                            }, true)
RACES["Enumerator"] = Race.new(-> { ROWS.each },
                               { next: ->(e) { e.next }, rewind: ->(e) { e.rewind }, dup: ->(e) { e.dup },
                                 size: ->(e) { e.size } },
                               ->(e) { 200.times { e.next; e.peek }; e.rewind; :done }, true)
RACES["Set"] = Race.new(-> { Set.new(ROWS) },
                        { clear: ->(s) { s.clear }, add: ->(s) { s << 1 }, reset: ->(s) { s.reset },
                          delete: ->(s) { s.delete(ROWS[5]) } },
                        ->(s) { s.each { |x| x.hash }; s.inspect; s.map! { |x| [x] }; s.to_a.size }, true)
RACES["WeakMap"] = Race.new(-> { ObjectSpace::WeakMap.new.tap { |w| ROWS.each { |row| w[row] = row } } },
                            { gc: ->(_) { GC.start }, store: ->(w) { w["a" * 5] = "b" },
                              delete: ->(w) { w.delete(ROWS[3]) } },
                            ->(w) { w.each { |k, v| k == v }; w.keys.size; w.inspect.size; :done }, true)
RACES["Dir"] = Race.new(-> { Dir.new("/") },
                        { close: ->(d) { d.close }, rewind: ->(d) { d.rewind }, read: ->(d) { d.read } },
                        ->(d) { d.each { |n| n }; d.rewind; d.children.size; d.tell; :done }, true)
RACES["Dir.glob"] = Race.new(-> { +"/{usr,etc}/*/{a,b}*" }, STRING_CHANGES.slice(:replace, :clear, :freeze),
                             ->(s) { Dir.glob(s).size }, false)
RACES["big integers"] = Race.new(-> { [3**9000] }, { clear: ->(a) { a.clear }, gc: ->(_) { GC.start } },
                                 ->(a) {
                                   n = a[0].to_i
                                   [n.to_s.size, n * n % 97, n.pow(n, 1 << 64), (n / 7**300).bit_length]
                                 }, false)
RACES["struct"] = Race.new(-> { Struct.new(:a, :b).new([1] * 500, 2) },
                           { set: ->(s) { s.a = 1 }, freeze: ->(s) { s.freeze }, clear: ->(s) { s.a.clear } },
                           ->(s) { s.inspect; s.hash; s.to_h; s == s.dup; Marshal.dump(s) rescue 0; :done }, true)
RACES["class"] = Race.new(-> { Class.new { 40.times { |i| define_method("m#{i}") { i } } } },
                          { define: ->(c) { c.define_method(:m3) { 9 } }, remove: ->(c) { c.remove_method(:m5) },
                            include: ->(c) { c.include(Comparable) },
                            prepend: ->(c) { c.prepend(Module.new { def m3 = super }) },
                            undef: ->(c) { c.undef_method(:m7) } },
                          ->(c) {
                            o = c.new
                            40.times do |i|
                              o.public_send("m#{i}") rescue 0
                              c.instance_methods(false).size
                              o.respond_to?("m#{i}")
                            end
                            :done
                          }, true)
RACES["ivars"] = Race.new(-> { Object.new },
                          { set: ->(o) { 9.times { |i| o.instance_variable_set("@x#{i}", i) } },
                            remove: ->(o) { o.remove_instance_variable(:@a3) }, freeze: ->(o) { o.freeze } },
                          ->(o) {
                            30.times { |i| o.instance_variable_set("@a#{i}", i); o.instance_variables.size }
                            o.inspect
                            Marshal.dump(o) rescue 0
                            :done
                          }, true)
RACES["monitor queue"] = Race.new(-> { Queue.new(ROWS) },
                                  { clear: ->(q) { q.clear }, close: ->(q) { q.close },
                                    pop: ->(q) { q.pop(timeout: 0.01) } },
                                  ->(q) { 100.times { q << q.pop(timeout: 0.001); q.size }; :done }, true)
RACES["thread locals"] = Race.new(-> { Thread.new { Thread.stop } },
                                  { kill: ->(t) { t.kill },
                                    raise: ->(t) { t.report_on_exception = false; t.raise("x") },
                                    wake: ->(t) { t.wakeup } },
                                  ->(t) {
                                    50.times { |i| t["k#{i}"] = i; t.backtrace; t.status; t.inspect; t.keys.size }
                                    :done
                                  }, true)

def outcome
  value = yield
  value.is_a?(String) ? value.b.dup : value
rescue Exception => error
  [:raised, error.class, error.message[0, 200]]
end

# Raised by operations with a block or in place when they notice the change, as in CRuby.
NOTICED = [[:raised, RuntimeError, "string modified"], [:raised, RuntimeError, "string not modifiable"]].freeze

seed, rounds, only = ARGV.shift.to_i, ARGV.shift.to_i, ARGV.shift
dice = Random.new(seed)
names = RACES.keys
names = names.select { |name| name.include?(only) } if only && !only.empty?
Thread.report_on_exception = false
$stdout.sync = true
done = 0
$stdin = File.open(File::NULL)
rounds.times do
  name = names[dice.rand(names.size)]
  race = RACES[name]
  changed, change = race.changes.to_a[dice.rand(race.changes.size)]
  STDERR.write("at #{name} / #{changed}\n")
  orders = unless race.open
    [outcome { race.operation.call(race.make.call) },
     outcome { object = race.make.call; change.call(object); race.operation.call(object) }]
  end
  object = race.make.call
  turns = dice.rand(4).zero? ? dice.rand(20_000) : dice.rand(300)
  other = Thread.new do
    turns.times { }
    outcome { change.call(object) }
  end
  Thread.pass if dice.rand(2).zero?
  got = outcome { race.operation.call(object) }
  unless other.join(60)
    puts "race: #{name} beside #{changed}: the other thread does not end"
    exit! 1
  end
  outcome { object.inspect.size }
  outcome { object.hash }
  done += 1
  next if race.open || orders.include?(got) || NOTICED.include?(got)
  puts "race: #{name} beside #{changed} (seed #{seed}): neither order", "  first: #{orders[0].inspect[0, 300]}",
       "  last:  #{orders[1].inspect[0, 300]}", "  got:   #{got.inspect[0, 300]}"
  exit! 1
end
puts "race: #{done} rounds"
exit! 0
