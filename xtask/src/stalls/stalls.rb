# Calls every public method that can be given something large, and measures for how long each call keeps another thread
# from running.
#
#   stalls.rb FILTER FROM PROGRESS [LIMIT_MS [CASES]]   from the case with the number FROM on; the file PROGRESS gets
#                                                       the name of each case before it runs, and a line with what
#                                                       was measured behind it. CASES: at most so many of each method,
#                                                       the same in each run
#
# A second thread sleeps half a millisecond at a time. What it is late by, less the time that either thread spent in the
# kernel's queue for a processor and less what the collector took (a pause of its own), is the stall, but no more than
# the processor time of the other thread meanwhile: on a busy host timers are late, and processors stand still, by tens
# of milliseconds. It is the least of several runs when it is above the limit. A call that is still running after a
# while is killed, and so is a second run of what took long: the time that the end takes is measured, too. It runs in a
# directory of its own.

require_relative "../hostile/targets"

LIMIT_MS = (ARGV[3] || 10).to_f
CASES = (ARGV[4] || 0).to_i
# How long a call may run before it is killed, in seconds, and what its end may take before the process gives up.
CALL_SECONDS = 0.35
END_SECONDS = 20
RUNS = 3

# Large things, made when they are asked for and lent to one case after another: what changes them gets a copy.
LARGE = {
  ascii: -> { "abc, def; 12.5 foo=bar\n" * 700_000 }, utf8: -> { "héllo wörld, foo=bär; ok\n" * 300_000 },
  bytes: -> { Random.new(1).bytes(16 << 20) },
  utf16: -> { ("héllo wörld; " * 300_000).encode("UTF-16LE") }, digits: -> { "1234567890" * 1_000_000 },
  spaces: -> { " " * (16 << 20) },
  symbol: -> { ("abc_" * 2_000_000).to_sym },
  integers: -> { Array.new(1_000_000) { |i| (i * 7919) % 1_000_000 } },
  floats: -> { Array.new(1_000_000) { |i| i * 1.5 } },
  words: -> { Array.new(400_000) { |i| "w#{i * 7919 % 400_000}" } },
  nested: -> { Array.new(250_000) { |i| [i, [i.to_s, 1.5]] } }, zeros: -> { Array.new(4_000_000, 0) },
  hash: -> { Array.new(600_000) { |i| [i, i] }.to_h },
  table: -> { Array.new(200_000) { |i| ["key#{i}", [i, nil, { a: i }]] }.to_h },
  set: -> { Set.new(Array.new(600_000) { |i| i }) }, range: -> { (0..5_000_000) }, letters: -> { ("a".."zzzzz") },
  integer: -> { 3**3_000_000 }, odd: -> { (1 << 4_000_000) - 1 }, rational: -> { Rational(3**400_000, 7**300_000) },
  complex: -> { Complex(3**400_000, 7**300_000) },
  decimal: -> { BigDecimal("1.23456789" * 1 + "1234567890" * 50_000) },
  regexp: -> { Regexp.new("(?:abc|d.f)" * 20_000) }, match: -> { /(foo)(.*)(bar)/m.match(LENT[:utf8]) },
  struct: -> { Struct.new(*Array.new(20_000) { |i| :"f#{i}" }).new(*0...20_000) },
  enumerator: -> { LENT[:integers].each }, lazy: -> { LENT[:integers].lazy },
  chain: -> { LENT[:integers].each + LENT[:words] }, steps: -> { 1.step(5_000_000, 2) },
  product: -> { Enumerator::Product.new(1..3000, 1..3000) },
  stringio: -> { StringIO.new(+LENT[:ascii]) }, scanner: -> { StringScanner.new(LENT[:ascii]) },
  buffer: -> { IO::Buffer.for(LENT[:bytes]) },
  path: -> { "large" }, file: -> { File.open("large") }, zero: -> { File.open("/dev/zero", "r+b") },
  out: -> { File.open("out", "w+b") },
  error: -> { RuntimeError.new(LENT[:utf8]) }, pathname: -> { Pathname.new("large") }, random: -> { Random.new(1) },
  time: -> { Time.at(0) }, float: -> { 1.5e300 }, fixnum: -> { 12_345_678 },
  queue: -> { Queue.new(LENT[:integers]) }, marshaled: -> { Marshal.dump(LENT[:nested]) },
  json: -> { JSON.generate(LENT[:nested]) }, yaml: -> { YAML.dump(LENT[:nested].first(3000)) },
  deflated: -> { Zlib.deflate(LENT[:ascii]) }, gzipped: -> { Zlib.gzip(LENT[:ascii]) },
  base64: -> { [LENT[:ascii]].pack("m") }, source: -> { "a = [1, 'b', :c]\n" * 60_000 }, count: -> { 20_000_000 },
  digest: -> { Digest::SHA256.new }, deflate: -> { Zlib::Deflate.new }, inflate: -> { Zlib::Inflate.new },
  gzip_reader: -> { Zlib::GzipReader.new(StringIO.new(LENT[:gzipped])) },
  gzip_writer: -> { Zlib::GzipWriter.new(StringIO.new) },
  converter: -> { Encoding::Converter.new("UTF-8", "UTF-16LE") }, proc: -> { proc { |*a| a } },
  weak: -> { ObjectSpace::WeakMap.new.tap { |map| LENT[:words].each { |word| map[word] = word } } },
  pstore: -> { PStore.new("store") }, generator: -> { JSON::State.new },
  data: -> { Data.define(*Array.new(5000) { |i| :"f#{i}" }).new(*0...5000) }, arguments: -> { ARGF.class.new("large") },
}.freeze

# The receivers of the methods of a class or module; those of Kernel and of what all objects share are tried on a few.
RECEIVERS = {
  "String" => %i[ascii utf8 bytes utf16 digits spaces], "Symbol" => %i[symbol],
  "Array" => %i[integers nested words floats], "Hash" => %i[hash table], "Set" => %i[set], "Range" => %i[range letters],
  "Integer" => %i[integer odd fixnum], "Rational" => %i[rational], "Complex" => %i[complex], "Float" => %i[float],
  "Numeric" => %i[integer rational float], "BigDecimal" => %i[decimal],
  "Regexp" => %i[regexp], "MatchData" => %i[match], "Struct" => %i[struct], "Data" => %i[data],
  "Enumerator" => %i[enumerator], "Enumerator::Lazy" => %i[lazy], "Enumerator::Chain" => %i[chain],
  "Enumerator::ArithmeticSequence" => %i[steps], "Enumerator::Product" => %i[product],
  "Enumerable" => %i[enumerator hash range], "Comparable" => %i[ascii integer rational], "StringIO" => %i[stringio],
  "StringScanner" => %i[scanner], "IO::Buffer" => %i[buffer], "IO" => %i[file zero], "File" => %i[file],
  "Exception" => %i[error], "Pathname" => %i[pathname], "Random" => %i[random], "Random::Formatter" => %i[random],
  "Thread::Queue" => %i[queue], "Digest::Base" => %i[digest], "Digest::Instance" => %i[digest],
  "Zlib::Deflate" => %i[deflate], "Zlib::Inflate" => %i[inflate], "Zlib::ZStream" => %i[deflate inflate],
  "Zlib::GzipReader" => %i[gzip_reader],
  "Zlib::GzipWriter" => %i[gzip_writer], "Encoding::Converter" => %i[converter], "Kernel" => %i[nested table],
  "Time" => %i[time], "ObjectSpace::WeakMap" => %i[weak], "Proc" => %i[proc],
  "JSON::Ext::Generator::State" => %i[generator],
  "JSON::Ext::Generator::GeneratorMethods::Array" => %i[nested],
  "JSON::Ext::Generator::GeneratorMethods::Hash" => %i[table],
  "JSON::Ext::Generator::GeneratorMethods::String" => %i[utf8], "ARGF.class" => %i[arguments],
}.freeze

# What a method may be given, by how many arguments it takes: names of large things, `:self` for a copy of the receiver,
# and plain values.
ONE = [:self, 3, "b", /b;/, /zzz/, "a-c", 2..-2, :ascii, :words, :hash, :integer, :count, "UTF-16LE", "C*"].freeze
TWO = [["a-c", "x-z"], [/b|f/, { "b" => "1" }], [3, 1_000_000], [0, :ascii], [:count, "ab"], [:self, :self],
       ["UTF-16LE", "UTF-8"], [:integer, :odd]].freeze
# For methods that take any number of arguments.
ANY = [:self, 3, "b", /b;/, :ascii, :words, :count].freeze
SINGLE = [[], [:ascii], [:nested], [:table], [:integer], [:digits], [:count], [:path], [:marshaled], [:json], [:yaml],
          [:deflated], [:gzipped], [:base64], [:source], [:stringio], [:bytes],
          [:integer, :odd], [:ascii, 3], [:path, :out], [:path, 20_000_000], ["%s %p", :ascii],
          ["/dev/zero", 100_000_000], ["out", :ascii], [:ascii, "UTF-16LE"], [:words, :words]].freeze
BLOCK = proc { |*list| list[0] }

module Stalls
  Case = ::Struct.new(:name, :receiver, :method, :arguments, :block)
  # In the way of the measurement, or outside of it: they wait, they change this process,
  # or they are nothing but a block.
  OTHERS = %w[sleep loop instance_eval instance_exec class_eval stop pass gets readline readlines select test putc p
              print puts pp warn display freeze stress= compact= undef_method remove_method define_method close pipe
              console getc ungetc fcntl ioctl flock lock_file join value wait_readable wait_writable wait_priority wait
              callcc trace_var catch throw raise fail public_send send __send__ method_missing tap then yield_self
              delete unlink rmdir mkdir rename symlink link truncate mkfifo utime reopen binwrite main exclusive fsync
              fdatasync sync= daemonize mutex= abort_on_exception= report_on_exception= tty? isatty].freeze
  MODULES = /\A(?:Stalls|Rubellite|Process|Signal|Thread|Ractor|Fiber|GC|Monitor|ConditionVariable|Socket|TCP|UDP|UNIX|
                 Addrinfo|BasicSocket|Etc|
                 OpenSSL::(?:ASN1|SSL|X509|OCSP|PKCS|PKey|BN|Timestamp|Config|Engine|Provider)|IO::WaitReadable|
                 FileTest|Coverage|TracePoint|Fiddle|PTY|Module|Class|Warning|Errno|Timeout|Tempfile|Readline|Reline|
                 SystemExit|Binding|Refinement|OptionParser|MonitorMixin|Random::DEFAULT)/x

  LENT = Hash.new { |made, name| made[name] = LARGE.fetch(name).call }

  def self.cases(filter)
    list = []
    Hostile.targets("").each do |target|
      if OTHERS.include?(target.name.to_s) || (target.owner.match?(MODULES) && target.owner != "Thread::Queue") ||
          target.owner == "Object"
        next
      end
      owner = Object.const_get(target.owner)
      if target.singleton
        # Module functions and class methods; private ones are the functions of Kernel,
        # which are there as singleton methods too.
        next unless owner.singleton_class.public_method_defined?(target.name)
        given(owner.method(target.name).arity, SINGLE.group_by(&:size)).each do |arguments|
          list << made(target, nil, arguments, nil)
        end
      elsif owner.public_method_defined?(target.name)
        arity = owner.instance_method(target.name).arity
        table = { 0 => [[]], 1 => (arity == -1 ? ANY : ONE).map { |value| [value] },
                  2 => arity == -1 ? TWO.first(3) : TWO }
        (RECEIVERS[target.owner] || []).each_with_index do |receiver, index|
          given(arity, table).each do |arguments|
            # Further receivers of a class are tried without arguments, with themselves and with a number.
            next unless index < 2 || [[], [3], [:self]].include?(arguments)
            list << made(target, receiver, arguments, nil)
            list << made(target, receiver, arguments, BLOCK) if arguments.empty? || arguments == [3]
          end
        end
      end
    end
    list = list.select { |one| one.name.include?(filter) }
    return list if CASES.zero?
    chance = Random.new(1)
    list.group_by { |one| [one.receiver.is_a?(Symbol), one.name[/[^ (]+/]] }
      .flat_map { |_, cases| cases.shuffle(random: chance).first(CASES) }
  end

  # The argument lists that a method of this arity takes.
  def self.given(arity, table)
    least = arity.negative? ? -arity - 1 : arity
    most = arity.negative? ? [least + 1, 2].max : arity
    table.flat_map { |size, lists| size.between?(least, most) ? lists : [] }
  end

  def self.made(target, receiver, arguments, block)
    words = arguments.map { |value| value.is_a?(Symbol) ? value : value.inspect }.join(", ")
    name =
      if target.singleton
        "#{target.owner}.#{target.name}(#{words})"
      else
        "#{target.owner}##{target.name} #{receiver}(#{words})"
      end
    Case.new(name + (block ? " {}" : ""), target.singleton ? Object.const_get(target.owner) : receiver, target.name,
             arguments, block)
  end

  # Files, positions and contents may have been changed by the call before.
  SHARED = %i[proc random time float fixnum count symbol integer odd rational complex decimal range letters regexp
              match integers].freeze
  FRESH = %i[stringio scanner file zero out gzip_reader gzip_writer digest deflate inflate queue converter enumerator
             lazy chain steps arguments generator struct].freeze
  def self.lend(name)
    return LARGE.fetch(name).call if FRESH.include?(name)
    value = LENT[name]
    SHARED.include?(name) && !value.is_a?(Array) ? value : value.dup
  end

  # What the kernel kept a thread waiting for a processor, in nanoseconds.
  class Queued
    def initialize(thread = Thread.current) = @file = File.open("/proc/self/task/#{thread.native_thread_id}/schedstat")
    def ns = @file.pread(80, 0).split[1].to_i
    def close = @file.close
  end

  # The kernel's number for the processor clock of a thread, in `clock_gettime`.
  def self.clock_of(thread) = ~thread.native_thread_id << 3 | 6

  Measured = ::Struct.new(:stall_ms, :collector_ms, :took_ms, :end_ms, :error)

  def self.now_ms = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)

  # Runs a case once. The thread that runs it is killed after so many seconds.
  def self.once(one, seconds)
    receiver = one.receiver.is_a?(Symbol) ? lend(one.receiver) : one.receiver
    arguments = one.arguments.map do |value|
      value == :self ? lend(one.receiver) : value.is_a?(Symbol) ? lend(value) : value.dup
    end
    gate, error, took = Queue.new, nil, nil
    worker = Thread.new do
      Thread.current.report_on_exception = false
      gate.pop
      from = now_ms
      begin
        if one.block
          receiver.public_send(one.method, *arguments, &one.block)
        else
          receiver.public_send(one.method, *arguments)
        end
      rescue Exception => error
        nil
      ensure
        took = now_ms - from
      end
      nil
    end
    Thread.pass until worker.stop?
    theirs, clock = Queued.new(worker), clock_of(worker)
    stop, ready, worst, collector = false, false, 0.0, 0.0
    ticker = Thread.new do
      ours = Queued.new
      ran_ms = 0.0
      read = lambda do
        ran_ms = Process.clock_gettime(clock, :float_millisecond) rescue ran_ms
        [now_ms, (theirs.ns + ours.ns) / 1e6, GC.total_time / 1e6, ran_ms]
      end
      last = read.call
      ready = true
      until stop
        sleep 0.0005
        this = read.call
        late = [this[0] - last[0] - (this[1] - last[1]), this[3] - last[3]].min
        collected = this[2] - last[2]
        worst = late - collected if late - collected > worst
        collector = collected if collected > collector
        last = this
      end
      ours.close
    end
    sleep 0.001 until ready
    gate << true
    ended = worker.join(seconds) ? nil : kill(worker, theirs)
    sleep 0.002
    stop = true
    ticker.join
    theirs.close
    [receiver, *arguments].each { |value| value.close if value.is_a?(IO) && !value.closed? }
    Measured.new(worst, collector, took || seconds * 1e3, ended, error)
  end

  # What it takes to end a thread, in milliseconds.
  def self.kill(worker, queued)
    from, delay = now_ms, queued.ns
    worker.kill
    unless worker.join(END_SECONDS)
      note("hang\n")
      Process.exit!(97)
    end
    waited = queued.ns - delay rescue 0
    [now_ms - from - waited / 1e6, 0].max
  end

  def self.measure(one)
    best = once(one, CALL_SECONDS)
    return best if best.error.is_a?(NoMethodError) && best.took_ms < 1
    (RUNS - 1).times do
      break if best.stall_ms <= LIMIT_MS
      again = once(one, CALL_SECONDS)
      best.stall_ms = again.stall_ms if again.stall_ms < best.stall_ms
    end
    # What takes long is ended in its middle, too.
    seconds = best.took_ms / 3e3
    (RUNS - 1).times do
      break if best.took_ms < 40 || best.end_ms && best.end_ms <= LIMIT_MS
      again = once(one, seconds)
      best.end_ms = [best.end_ms, again.end_ms].compact.min
    end
    best
  end

  def self.note(text) = File.write(@progress, text, mode: "a")

  def self.run(filter, from, progress)
    @progress = progress
    list = cases(filter)
    File.write("large", LENT[:ascii])
    list.each_with_index do |one, index|
      next if index < from
      note("#{index}\t#{list.size}\t#{one.name}\t")
      found = begin
        measure(one)
      rescue SystemCallError, NoMemoryError, KeyError, ThreadError => error
        Measured.new(0.0, 0.0, 0.0, nil, error)
      end
      note(format("%.1f\t%.1f\t%.1f\t%.1f\t%s\n", found.stall_ms, found.collector_ms, found.took_ms,
                  found.end_ms || 0.0, found.error && found.error.class))
      GC.start if found.took_ms > 20
      File.write("large", LENT[:ascii]) if File.size?("large") != LENT[:ascii].size
      File.truncate("out", 0) if File.size?("out")
      Process.exit!(96) if index - from > 3000
    end
    note("done\n")
    Process.exit!(0)
  end
end

LENT = Stalls::LENT
[*Hostile::LIBRARIES, "yaml", "csv"].each do |name|
  require name
rescue LoadError
  nil
end
$VERBOSE = nil
filter, from, progress = ARGV.shift(3)
ARGV.clear
STDIN.reopen("/dev/null")
STDOUT.reopen("/dev/null", "w")
Stalls.run(filter, from.to_i, progress)
