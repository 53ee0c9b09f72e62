# What programs commonly do, each thing a few times: `cargo xtask layout` runs this to see which functions of the
# runtime are needed, and puts them beside each other. How often does not matter, so this ends soon even on a slow
# machine.

require "benchmark"
require "delegate"
require "digest"
require "erb"
require "fileutils"
require "forwardable"
require "json"
require "logger"
require "monitor"
require "optparse"
require "ostruct"
require "pp"
require "securerandom"
require "set"
require "shellwords"
require "singleton"
require "stringio"
require "strscan"
require "tempfile"
require "time"
require "timeout"
require "tmpdir"
require "uri"
require "yaml"
require "zlib"

Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
end
Place = Data.define(:name, :at)

module Named
  def self.included(base) = base.extend(ForClass)
  def to_s = "#{self.class.label}: #{@name}"

  module ForClass
    def label(text = nil) = text ? @label = text : @label
  end
end

class Shape
  include Comparable
  include Named
  attr_accessor :name, :sides
  label "shape"

  def initialize(name, sides: 3, **rest)
    @name = name
    @sides = sides
    @rest = rest
  end

  def <=>(other) = sides <=> other.sides
  def method_missing(name, *args, &block) = name.end_with?("?") ? name.to_s.chop == @name : super
  def respond_to_missing?(name, all = false) = name.end_with?("?") || super
end

class Square < Shape
  def initialize(name, ...) = super
  define_method(:area) { |side| side * side }
end

def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

def numbers
  sum = 0
  i = 0
  while i < 20_000
    sum += i & 7 if i.even? || i % 3 == 0
    sum ^= i << 2
    i += 1
  end
  floats = (1..200).map { |x| Math.sqrt(x) * 1.5 - x / 3.0 }
  big = 2**200 + 3**90
  [sum, floats.sum.round(3), floats.max, big.to_s.size, big % 97, 10.pow(20, 7), 7.fdiv(2), 1_000_000.digits.sum,
   Integer("42"), Float("1.5"), "0x1f".hex, 255.to_s(16), 3.7.floor, -7.divmod(2), Rational(1, 3) + 1, 12.gcd(18)]
end

def collections
  words = %w[alpha beta gamma delta epsilon zeta eta theta iota kappa]
  list = (1..300).to_a
  table = words.each_with_index.to_h
  table.default = 0
  counts = Hash.new { |hash, key| hash[key] = [] }
  words.each { |word| counts[word.size] << word }
  matrix = Array.new(8) { |row| Array.new(8) { |column| row * column } }
  [list.select(&:even?).map { |x| x * 2 }.reject { |x| x % 3 == 0 }.each_slice(7).map(&:sum).inject(:+),
   list.group_by { |x| x % 5 }.transform_values(&:size), list.partition { |x| x > 10 }.map(&:size),
   list.shuffle.sort.first(3),
   words.sort_by { |word| [word.size, word] }, words.min_by(&:size), words.each_cons(2).count,
   words.zip(list).flatten.size,
   words.map(&:size).tally, matrix.transpose.flatten.uniq.sum, list.each_with_object([]) { |x,
   all| all << x if x < 4 },
   table.map { |key, value| "#{key}=#{value}" }.join("&"), table.sort_by { |_, value| -value }.first,
   table.select { |_, v| v > 3 }.keys,
   table.merge({ "one" => 1 }) { |_, a, b| a + b }.size, table.min_by { |_, v| v }, counts.dig(4, 0),
   table.fetch("beta"), table["none"],
   table.each_pair.to_a.last, table.any? { |_, v| v > 8 }, table.to_a.flatten.size, table.delete("alpha"),
   table.invert[3],
   list.lazy.map { |x| x + 1 }.select(&:odd?).first(3), list.bsearch { |x| x >= 77 },
   list.pack("N*").unpack("N*").size, list.each_entry.next,
   (1..Float::INFINITY).lazy.take(3).to_a, ("a".."e").each_cons(2).to_a, 1.step(10, 3).to_a, 10.downto(7).to_a, [3,
   1, 2].sort!.reverse,
   [nil, 1, [2, [3]]].flatten.compact, [1, 2, 3, 4].combination(2).count, [1, 2, 3].permutation.first, [1, 2] | [2,
    3], [1, 2] & [2], [1, 2] - [2],
   list.sum.to_f, list.minmax, Set.new(list).include?(3), words.to_set.subset?(Set.new(words)),
   list.rotate(3).take_while { |x| x < 9 }, [*1..3, *nil],
   list.dup.tap { |all| all.push(1, 2).unshift(0).insert(2,
   9).delete_if { |x| x > 5 }.concat([1]).pop.then { all.shift } }.size, list.chunk_while { |a, b| b == a + 1 }.size]
end

def texts
  text = +"The quick brown fox jumps over the lazy dog, naïve café — "
  100.times { |i| text << "line #{i}: #{i.to_s.rjust(5, "0")} #{format("%-8s|%6.2f|%x", "cell", i * 1.1, i)}\n" }
  date = text.match(/(?<first>\w+) (?<second>\w+)/)
  scanner = StringScanner.new(text)
  scanner.scan_until(/fox/)
  [text.scan(/\d+/).size, text.gsub(/o(.)/) { $1.upcase }.size, text.sub("quick", "slow")[0, 12], text.tr("a-y",
   "b-z").size, date[:first], text.lines.map(&:chomp).map(&:strip).reject(&:empty?).size,
   text.split(/[\s,:|]+/).uniq.size, text.each_char.first(5).join, text.bytes.sum, text.index("lazy"),
   text.upcase.downcase.capitalize.swapcase.reverse.size, text.unpack1("H*").size, text.center(9).length,
   text.start_with?("The"), text =~ /lazy\s+(dog)/, $~ && $1, text.encode("UTF-16LE").bytesize,
   text.force_encoding("BINARY").force_encoding("UTF-8").valid_encoding?, text.unicode_normalize(:nfd).size,
   scanner.pos,
   "a-b_c".split("-"), "x" * 10, "abc".succ, "%s and %p" % ["a", :b], "abc" <=> "abd", "abc".eql?("abc"), :sym.to_s,
   "str".to_sym.inspect, "héllo".chars.last, "a,b;c".split(/[,;]/),
   "snake_case_word".split("_").map(&:capitalize).join,
   "  x ".strip, "text".hash == "text".hash, "abc".include?("b"), "abc".delete("b").squeeze.count("ac"),
   "1,2,3".split(",").map(&:to_i), "title case".gsub(/\b\w/, &:upcase), "abc".each_byte.to_a, "line\n".chomp("\n"),
   "äöü".bytesize, "ß".casecmp?("SS"), "a".ord.chr, <<~TEXT.lines.size]
     heredoc #{1 + 1}
       more
   TEXT
end

def control
  errors = [-> { raise ArgumentError, "bad" }, -> { nil.nothing }, -> { Integer("x") }, -> { [].fetch(3) },
  -> { {}.fetch(:a) }, -> { 1 / 0 }, -> { "a".freeze << "b" }, -> { throw :none }, -> { Object.const_get(:Nothing) },
  -> { fib }]
  told = errors.map do |one|
    one.call
  rescue StandardError => error
    [error.class, error.message, error.backtrace.size, error.full_message(highlight: false).size]
  ensure
    true
  end
  found = catch(:done) { 10.times { |i| throw :done, i if i == 3 } }
  matched = case { kind: "circle", at: [1, 2], rest: nil }
            in { kind: "square" } then 1
            in { kind: String => kind, at: [Integer => x, *] } if x > 0 then [kind, x]
            end
  shape = Square.new("box", sides: 4, colour: 1)
  place = Place.new(name: "here", at: Point.new(1, 2) + Point.new(3, 4))
  [told.size, found, matched, shape.to_s, shape.area(3), shape.box?, shape > Shape.new("tri"),
   place.with(name: "there").inspect, place.at.to_a, shape.public_send(:sides), shape.respond_to?(:none?),
   shape.instance_variables, Square.ancestors.size, shape.frozen?,
   shape.method(:area).to_proc.call(2), method(:fib).arity, Square.instance_method(:area).owner,
   binding.local_variables.size, eval("1 + 1"), Class.new(Shape) { def extra = 1 }.new("x").extra,
   OpenStruct.new(a: 1).a, shape.clone.eql?(shape), ObjectSpace.respond_to?(:each_object),
   [1, [2, 3]].then { |a, (b, c)| [a, b, c] },
    begin; Timeout.timeout(0.01) { sleep 1 }; rescue Timeout::Error; 1; end, shape.singleton_class.inspect,
    Comparable.instance_methods.size, __method__, caller.size, shape.instance_variable_get(:@name), defined?(String),
    Marshal.load(Marshal.dump([1, "a", { b: 2.0 }])), GC.stat.size]
end

def threads
  queue = Queue.new
  lock = Mutex.new
  count = 0
  workers = 3.times.map do |i|
    Thread.new do
      while (job = queue.pop)
        lock.synchronize { count += job }
      end
      Thread.current[:done] = i
    end
  end
  20.times { |i| queue << i }
  queue.close
  workers.each(&:join)
  monitor = Monitor.new
  signal = ConditionVariable.new
  waiter = Thread.new { lock.synchronize { signal.wait(lock, 0.05) } }
  sleep 0.001
  lock.synchronize { signal.signal }
  waiter.join
  fiber = Fiber.new { |x| 2.times { x = Fiber.yield(x + 1) } }
  from = Enumerator.new { |y| 3.times { |i| y << i } }
  [count, monitor.synchronize { 1 }, fiber.resume(1), fiber.resume(2), from.next, from.next, from.size,
   Thread.new { raise "x" rescue $!.message }.value, Process.clock_gettime(Process::CLOCK_MONOTONIC).class]
end

def files
  Dir.mktmpdir do |dir|
    path = File.join(dir, "a.txt")
    File.write(path, "one\ntwo\nthree\n" * 50)
    File.open(path, "a") { |file| file.puts("more", 1, nil); file.printf("%d\n", 3) }
    FileUtils.mkdir_p(File.join(dir, "sub/deep"))
    FileUtils.cp(path, File.join(dir, "sub/b.txt"))
    reader, writer = IO.pipe
    writer.puts("through")
    writer.close
    other = Process.spawn("exit 0")
    Process.wait(other)
    io = StringIO.new("a\nb\n")
    [File.read(path).size, File.foreach(path).count, File.readlines(path, chomp: true).first, Dir.glob("**/*",
     base: dir).size, Dir.children(dir).sort, File.stat(path).size, File.exist?(path), File.basename(path, ".txt"),
     File.extname(path), File.expand_path("..", path) == dir,
     reader.read, `echo hi`, io.gets, io.read, Tempfile.create { |file| file.write("x") }, IO.select([reader], nil,
     nil, 0).class, File.open(path, "rb") { |file| file.seek(3); file.read(4) }, $?.success?, File.rename(path,
     "#{path}.old"), Zlib.gunzip(Zlib.gzip("text" * 100)).size]
  end
end

def library
  data = { "name" => "x", "list" => [1, 2.5, nil, true, "é"], "deep" => { "a" => { "b" => [] } } }
  out = StringIO.new
  Logger.new(out).info("told")
  options = {}
  OptionParser.new { |parser| parser.on("-v", "--verbose") { options[:verbose] = true } }.parse!(%w[-v rest])
  PP.pp(data, out)
  [JSON.parse(JSON.generate(data)) == data, JSON.pretty_generate(data).lines.size,
   YAML.load(YAML.dump(data)) == data, ERB.new("<% 2.times do |i| %>row <%= i %>\n<% end %>").result(binding),
   Digest::SHA256.hexdigest("x")[0, 8], Digest::MD5.hexdigest("x").size,
   Time.at(0).utc.iso8601, Time.now.strftime("%Y-%m-%d %H:%M:%S.%L %z").size, Time.parse("2024-02-29 12:00").month,
   Time.utc(2024, 2, 29) + 86_400, URI.parse("http://example.org:80/a?b=c#d").host, URI.encode_www_form(a: 1),
   Shellwords.split("a 'b c'"), SecureRandom.hex(4).size, rand(10).class, Random.new(1).rand,
   options, out.string.size, Benchmark.realtime { 1 }.class, ENV.fetch("PATH", "").size, ARGV.size,
   Kernel.format("%05d", 3), $PROGRAM_NAME.class, ["x"].pack("m"), Comparable.instance_method(:clamp).name,
   5.clamp(1, 3), ObjectSpace.garbage_collect]
end

fib(16)
parts = %i[numbers collections texts control threads files library].map { |part| [part, send(part).size] }
parts.each { |part, size| puts "#{part}: #{size}" }
GC.start
$stdout.flush
warn "done" if parts.empty?
at_exit { parts.clear }
