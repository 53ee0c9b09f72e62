# Calls methods of the core and of the native libraries with receivers, arguments and blocks that misbehave. A case is a
# few lines of plain Ruby, made from a seed and an index alone, out of numbered pieces that can be left out one by one.
#
#   hostile.rb run SEED FROM ONLY COUNT PROGRESS [PIECES]  run cases without these pieces (1,4,...); the file PROGRESS
#                                                          holds the index of the one that runs
#   hostile.rb show SEED INDEX ONLY [PIECES]               print what a case calls, its number of pieces and its text
#
# Ends with status 96 when a case panics, 97 and a line "hang" when a case outlives Thread#kill, 98 and "marker" when a
# value leaks that no program may see. It runs in a directory of its own.

require_relative "targets"

SAMPLES = {
  "Array" => ["[]", "[3, 1, 2]", "[1, 2].freeze", "Array.new(3000) { |i| -i }", "Class.new(Array).new(4) { 7 }",
              "[[1, 2], [3]]", "(a = [1]; a << a; a)", "[nil, 'a', :b, 1.5, 2**70]", "%w[b a c].each_slice(1).to_a",
              "[[1, 2], [3, 4]]"],
  "String" => ["+''", "+'abc'", "'abc'.freeze", "'ab,c ' * 4000", "+\"h\\u00e9llo\\xFF\"", "'abc'.encode('UTF-16LE')",
               "'abc'.b", "Class.new(String).new('xyz')", "('x' * 100)[3, 90]", "\"\\0\\0\".force_encoding('UTF-32BE')",
               "+'12345678901234567890'", "\"\\e$B\".dup.force_encoding('ISO-2022-JP')",
               "+\"\\xE3\\x81\".force_encoding('EUC-JP')"],
  "Symbol" => [":a", ":\"\"", ":\"h\\u00e9\"", ":[]=", ":@a"],
  "Hash" => ["{}", "{a: 1, b: 2}", "{1 => 2}.freeze", "Hash.new { |h, k| h[k] = 1 }", "(1..50).to_h { |i| [i, i] }",
             "{'a' => 1}.compare_by_identity", "Class.new(Hash).new(3)", "(h = {}; h[:h] = h; h)"],
  "Integer" => ["0", "1", "-1", "2**62", "-2**62", "2**64", "3**500", "-3**500", "255"],
  "Float" => ["0.0", "-0.0", "1.5", "Float::NAN", "Float::INFINITY", "-1e308", "5e-324"],
  "Rational" => ["1r", "-3/7r", "(2**80).to_r / 3"], "Complex" => ["1i", "Complex(1.5, 2)", "Complex(1r, 2**70)"],
  "Range" => ["(1..3)", "(1...)", "(..2)", "(nil..nil)", "('a'..'zz')", "(1.0..2.0)", "(1..2**70)", "Range.allocate",
              "Class.new(Range).new(1, 2)", "(Time.at(0)..Time.at(9))"],
  "Regexp" => ["/a/", "/(?<x>b)|(c)/", "/\\u00e9/", "Regexp.allocate", "/(a+)+$/", "//n", "/\\p{Alpha}/u",
               "Class.new(Regexp).new('b')"],
  "MatchData" => ["/(?<x>b)(c)?/.match('abc')", "MatchData.allocate", "/(.)(.)?/.match(\"\\u00e9x\")"],
  "Proc" => ["proc { |a, b = 1, *c, d:, **e| a }", "lambda { |x| x }", ":upcase.to_proc", "1.method(:+).to_proc",
             "Proc.allocate", "proc { break 3 }", "proc { return 3 }", "(proc { _1 } << proc { it })"],
  "Method" => ["[1].method(:push)", "1.method(:+)", "Kernel.method(:format)", "Object.new.method(:inspect)"],
  "UnboundMethod" => ["Array.instance_method(:push)", "Kernel.instance_method(:class)",
                      "Enumerable.instance_method(:map)"],
  "Struct" => ["Struct.new(:a, :b).new(1, 2)", "Struct.new(:a, keyword_init: true).new(a: 1)",
               "Struct.new(:a).allocate", "Struct.new(*('a'..'z').map(&:to_sym)).new(1).freeze"],
  "Data" => ["Data.define(:a).new(1)", "Data.define(:a, :b).allocate", "Data.define.new"],
  "Time" => ["Time.at(0)", "Time.now", "Time.allocate", "Time.at(2**70)", "Time.at(1, 5, :nsec, in: '+09:00')",
             "Class.new(Time).new(2000)"],
  "Enumerator" => ["[1, 2].each", "Enumerator.new { |y| y << 1; y.yield 2, 3 }", "Enumerator.allocate", "loop",
                   "3.times.with_index", "[4].each_with_object([])", "(e = [1, 2, 3].each; e.next; e)",
                   "Enumerator.produce(1) { |i| i + 1 }"],
  "Enumerator::Lazy" => ["(1..3).lazy", "(1..).lazy.map { |i| i * 2 }", "[1, [2]].lazy.flat_map { |x| x }.zip([1])",
                         "Enumerator::Lazy.allocate", "(1..9).lazy.each_slice(2).eager.lazy"],
  "Enumerator::Yielder" => ["Enumerator::Yielder.new { |*a| a }", "Enumerator::Yielder.allocate"],
  "Enumerator::Generator" => ["Enumerator::Generator.new { |y| y << 1 }", "Enumerator::Generator.allocate"],
  "Enumerator::Chain" => ["([1].each + [2])", "Enumerator::Chain.new([1], 2..3)", "Enumerator::Chain.allocate"],
  "Enumerator::Product" => ["Enumerator::Product.new([1, 2], 1..2)", "Enumerator::Product.allocate"],
  "Enumerator::ArithmeticSequence" => ["1.step(10, 3)", "(1.0..2.0).step(0.5)", "((1..) % 2)"],
  "IO" => ["IO.pipe[0]", "IO.pipe[1]", "IO.pipe.each(&:close)[0]", "IO.allocate",
           "(i, o = IO.pipe; o << 'ab\\ncd'; o.close; i)", "File.open('f', 'w+')"],
  "File" => ["File.open('f', 'w+')", "File.open('f', 'a+').tap { |f| f << \"ab\\nc\" * 9; f.rewind }", "File.allocate",
             "File.open('f', 'w').tap(&:close)", "File.open('f', 'r:UTF-16LE:UTF-8')"],
  "File::Stat" => ["File.stat('.')", "File::Stat.allocate"],
  "Dir" => ["Dir.new('.')", "Dir.allocate", "Dir.new('.').tap(&:close)"],
  "StringIO" => ["StringIO.new", "StringIO.new(+\"ab\\ncd\\n\")", "StringIO.new('ab'.freeze)", "StringIO.allocate",
                 "StringIO.new(+'x' * 5000).tap { |s| s.pos = 4000 }", "StringIO.new(+'ab').tap { |s| s.pos = 99 }",
                 "StringIO.new.tap(&:close)", "StringIO.new(\"a\\u00e9\".encode('UTF-16LE'))"],
  "StringScanner" => ["StringScanner.new(+'foo bar')", "StringScanner.allocate",
                      "StringScanner.new(+\"h\\u00e9llo\").tap { |s| s.scan(/h(.)/) }",
                      "StringScanner.new(+'abcdef').tap { |s| s.pos = 5; s.string.clear }"],
  "Thread" => ["Thread.new { }", "Thread.new { sleep 0.01 }",
               "Thread.new { raise 'x' }.tap { |t| t.report_on_exception = false }", "Thread.allocate"],
  "Thread::Mutex" => ["Mutex.new", "Mutex.new.tap(&:lock)", "Mutex.allocate"],
  "Thread::Queue" => ["Queue.new", "Queue.new([1, 2])", "Queue.new([1]).close", "Queue.allocate"],
  "Thread::SizedQueue" => ["SizedQueue.new(1)", "SizedQueue.new(1) << 1", "SizedQueue.allocate"],
  "Thread::ConditionVariable" => ["ConditionVariable.new", "ConditionVariable.allocate"],
  "Thread::Backtrace::Location" => ["caller_locations(0)[0]"],
  "ThreadGroup" => ["ThreadGroup.new", "ThreadGroup.allocate"],
  "Fiber" => ["Fiber.new { 1 }", "Fiber.new { |x| Fiber.yield x }.tap(&:resume)", "Fiber.allocate", "Fiber.current",
              "Fiber.new { }.tap(&:resume)"],
  "Binding" => ["binding", "proc { |x| binding }.call(1)"], "Random" => ["Random.new(1)", "Random.allocate"],
  "Exception" => ["RuntimeError.new('x')", "Exception.allocate", "(raise 'a' rescue $!)", "KeyError.new(key: 1)",
                  "NameError.allocate", "SystemCallError.new(2)"],
  "Encoding" => ["Encoding::UTF_8", "Encoding::UTF_7", "Encoding::EUC_JP"],
  "Encoding::Converter" => ["Encoding::Converter.new('UTF-8', 'EUC-JP')", "Encoding::Converter.allocate",
                            "Encoding::Converter.new('', 'xml')", "Encoding::Converter.new('ISO-2022-JP', 'UTF-16')"],
  "Module" => ["Module.new", "Class.new", "Class.new { attr_accessor :a; def f = 1; X = 1 }",
               "Module.new { module_function; def g = 2 }", "Class.allocate", "Class.new(String)",
               "Class.new.singleton_class", "Module.new.tap { |m| Class.new { include m } }"],
  "Set" => ["Set.new", "Set[1, 2, 3]", "Set[1].freeze", "Set.allocate", "Class.new(Set)[1]", "Set[Set[1], [2]]",
            "Set.new([1]).compare_by_identity"],
  "ObjectSpace::WeakMap" => ["ObjectSpace::WeakMap.new",
                             "ObjectSpace::WeakMap.new.tap { |w| 30.times { |i| w['k' * i] = Object.new } }",
                             "ObjectSpace::WeakMap.allocate"],
  "ObjectSpace::WeakKeyMap" => ["ObjectSpace::WeakKeyMap.new",
                                "ObjectSpace::WeakKeyMap.new.tap { |w| 30.times { |i| w['k' * i] = Object.new } }"],
  "IO::Buffer" => ["IO::Buffer.new(64)", "IO::Buffer.for(+'abcdefgh')", "IO::Buffer.allocate",
                   "IO::Buffer.new(8192, IO::Buffer::MAPPED)", "IO::Buffer.new(64).slice(8, 16)",
                   "IO::Buffer.new(64).tap(&:free)", "(b = IO::Buffer.new(64); s = b.slice(1, 9); b.free; s)",
                   "IO::Buffer.new(64).tap { |b| b.resize(8) }"],
  "TracePoint" => ["TracePoint.new(:call) { }", "TracePoint.allocate"],
  "Ractor" => ["Ractor.new { 1 }", "Ractor.allocate"], "Ractor::Port" => ["Ractor::Port.new", "Ractor::Port.allocate"],
  "Refinement" => ["Module.new { refine(String) { def zz = 1 } }.refinements[0]"],
  "Zlib::Deflate" => ["Zlib::Deflate.new", "Zlib::Deflate.allocate", "Zlib::Deflate.new.tap(&:close)",
                      "Zlib::Deflate.new.tap { |z| z << 'abc' }"],
  "Zlib::Inflate" => ["Zlib::Inflate.new", "Zlib::Inflate.allocate", "Zlib::Inflate.new(-15)",
                      "Zlib::Inflate.new.tap { |z| z << Zlib.deflate('abc' * 99)[0, 9] }"],
  "Zlib::GzipWriter" => ["Zlib::GzipWriter.new(StringIO.new)", "Zlib::GzipWriter.allocate",
                         "Zlib::GzipWriter.new(Object.new.tap { |o| def o.write(*) = nil })"],
  "Zlib::GzipReader" => ["Zlib::GzipReader.new(StringIO.new(Zlib.gzip(\"ab\\nc\" * 50)))", "Zlib::GzipReader.allocate"],
  "Date" => ["Date.new(2000)", "Date.allocate", "Date.new(-4712)", "Date.new(10**20)", "Date::Infinity.new"],
  "DateTime" => ["DateTime.new(2000, 1, 1, 1, 2, 3.5)", "DateTime.allocate"],
  "BigDecimal" => ["BigDecimal('1.5')", "BigDecimal('NaN')", "BigDecimal('-Infinity')", "BigDecimal('1e400')",
                   "BigDecimal('-0')"],
  "Monitor" => ["Monitor.new", "Monitor.allocate", "Monitor.new.tap(&:enter)"],
  "Pathname" => ["Pathname.new('f')", "Pathname.allocate"],
  "BasicSocket" => ["UNIXSocket.pair[0]", "BasicSocket.allocate"],
  "Socket" => ["Socket.new(:INET, :STREAM)", "Socket.allocate", "Socket.pair(:UNIX, :DGRAM)[0]"],
  "UNIXSocket" => ["UNIXSocket.pair[0]", "UNIXSocket.allocate"],
  "UDPSocket" => ["UDPSocket.new", "UDPSocket.allocate"],
  "TCPServer" => ["TCPServer.new('127.0.0.1', 0)", "TCPServer.allocate"],
  "Addrinfo" => ["Addrinfo.tcp('127.0.0.1', 80)", "Addrinfo.allocate", "Addrinfo.unix('/x')"],
  "Socket::Option" => ["Socket::Option.bool(:INET, :SOCKET, :KEEPALIVE, true)", "Socket::Option.allocate"],
  "Socket::AncillaryData" => ["Socket::AncillaryData.unix_rights($stdin)", "Socket::AncillaryData.allocate"],
  "JSON::Ext::Generator::State" => ["JSON::State.new", "JSON::State.allocate"],
  "JSON::Coder" => ["JSON::Coder.new { |o| o.to_s }"],
  "Digest::Base" => ["Digest::SHA256.new", "Digest::MD5.new << 'a'", "Digest::SHA1.allocate"],
  "PStore" => ["PStore.new('p')", "PStore.allocate"],
  "Process::Status" => ["Process::Status.allocate", "`true`.then { $? }"], "Coverage" => ["Coverage"], "UnixTime" => [],
  "NilClass" => ["nil"], "TrueClass" => ["true"], "FalseClass" => ["false"],
  "Kernel" => ["Object.new", "self", "[]", "'a'.dup"], "Object" => ["Object.new"],
  "BasicObject" => ["BasicObject.new", "Object.new"],
  "Comparable" => ["'a'", "1", "Class.new { include Comparable; def <=>(o) = 0 }.new"],
  "Enumerable" => ["Class.new { include Enumerable; def each = (yield 1; yield 2, 3; yield; self) }.new", "{a: 1}.each",
                   "(1..4)", "Struct.new(:a).new(3)"],
  "ARGF.class" => ["ARGF", "ARGF.class.allocate", "ARGF.class.new('f')"],
  "Psych::Parser" => ["Psych::Parser.new(Psych::Handler.new)", "Psych::Parser.allocate"],
  "Psych::Emitter" => ["Psych::Emitter.new(StringIO.new)", "Psych::Emitter.allocate"],
  "Numeric" => ["Class.new(Numeric) { def coerce(o) = [o, 1] }.new", "1.5", "2r"],
  "Marshal" => ["Marshal"],
}.freeze
SAMPLES_ASCENDING = { "Class" => "Module", "Thread::Mutex" => "Thread::Mutex" }.freeze

VALUES = ["nil", "true", "0", "1", "-1", "2", "10", "-10", "2**31", "-2**31", "2**40", "2**62", "2**63 - 1", "-2**63",
          "2**64", "3**200", "1.5", "-0.5", "Float::NAN", "Float::INFINITY", "1e300", "1/3r", "2i", "''", "'a'",
          "+'abc'", "'b'.freeze", "\"\\xFF\\u00e9\"", "'a'.encode('UTF-16BE')", "'%s %d %-9999s'", "'C*w*m0U'",
          "'x*@9X2'", "'a-z'", "'^b'", "'UTF-8'", "'EUC-JP'", "'r+'", "'f'", "\"\\0\"", "'x' * 5000", ":a", ":each",
          ":to_s", ":UTF_8", ":\"\"", "[]", "[1]", "[3, 1, 2]", "[[1, 2], [3, 4]]", "[nil, []]", "(a = []; a << a; a)",
          "[1] * 3000", "{}", "{a: 1}", "{'a' => 'b'}", "(h = {}; h[h] = h; h)", "(1..2)", "(0..)", "(..-1)",
          "(nil..nil)", "(5..-9)", "(2**70..)", "('a'..'c')", "1.step(9, 2)", "Object.new", "BasicObject.new",
          "Class.new", "Module.new", "String", "Comparable", "Object", "Struct.new(:a).new(1)", "proc { |x| x }",
          "lambda { |a, b| }", ":upcase.to_proc", "method(:p)", "/a/", "/(?<x>.)(y)?/", "//", "Time.at(0)",
          "Date.new(2000)", "BigDecimal('1.5')", "StringIO.new(+'abc')", "File.open('f', 'a+')", "IO.pipe[0]",
          "[1, 2].each", "(1..).lazy", "Thread.current", "Fiber.new { }", "Mutex.new", "Queue.new", "Random.new(3)",
          "binding", "RuntimeError", "RuntimeError.new('x')", "Encoding::UTF_16LE", "$r", "$r", "[$r]", "{a: $r}",
          "($r.dup rescue 1)", "Set[1, 2]", "ObjectSpace::WeakMap.new", "IO::Buffer.new(16)", "String.allocate",
          "Regexp.allocate", "Array.allocate", "MatchData.allocate", "Enumerator.allocate", "Time.allocate",
          "Class.allocate", "Thread.allocate", "StringIO.allocate"].freeze

RESULTS = ["nil", "0", "1", "-1", "2**40", "2**64", "'abc'", "''", "[]", "[1, 2]", "[[1, 2]]", "{}", "{a: 1}", ":a",
           "1.5", "true", "false", "Object.new", "$r", "'x' * 3000", "proc { 1 }", "[1] * 900"].freeze

ACTIONS = ["nil", "$r.clear", "$r.replace($r.class.new)", "$r.freeze", "raise 'out'", "throw :out", "GC.start",
           "Thread.pass", "Fiber.yield", "Thread.current.kill", "$r << 'x' * 900", "$r.push(*1..900)", "$r.pop",
           "$r.shift", "$r.concat($r)", "$r.sort!", "$r.close", "$r.free", "$r.compact!", "$r.send(:initialize)",
           "$r.send(:initialize, 1)", "$r.send(:initialize, 'zz')", "$r.send(:initialize_copy, $r.class.allocate)",
           "$r[0] = 1", "$r[:new] = 2", "$r.delete(1)", "$r.rewind", "$r.instance_variable_set(:@a, 1)",
           "$r.singleton_class", "$r.extend(Comparable)", "again.call", "Fiber.new { again.call }.resume",
           "Thread.new { again.call }.join", "$r.replace('z' * 70)", "$r.replace([9] * 70)", "$r.string.clear",
           "$r.string = +''", "$r.pos = 99", "$r.force_encoding('UTF-16LE')", "$r.rehash", "$r.compare_by_identity",
           "$r.resize(1)", "$r.reset", "$r.finish", "$r.slice!(1..)", "$r.truncate(0)", "$r.next", "$r.resume",
           "$r.lock", "$r.unlock", "$r = nil; GC.start", "eval('binding')", "Thread.main.wakeup", "$r.undef_method(:f)",
           "$r.remove_const(:X)", "ObjectSpace.garbage_collect", "$~ = nil", "caller_locations"].freeze

NAMES = %i[to_str to_int to_i to_s to_ary to_a to_hash to_h to_proc to_sym to_path to_io to_r to_c to_f each call <=>
           == === eql? hash coerce inspect respond_to? method_missing write read close + - * / < > =~ begin end
           exclude_end? succ rand size length [] []= << key? keys path string pos respond_to_missing? encode message
           backtrace exception dup clone initialize_copy marshal_dump _dump to_json to_enum each_pair yield next
           divmod].freeze

module Hostile
  # A generator of numbers that the classes under test have no part in.
  class Dice
    def initialize(*words)
      @state = words.inject(88_172_645_463_325_252) do |state, word|
        mix(state ^ (word * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF))
      end
    end

    def mix(word)
      word ^= word << 13 & 0xFFFFFFFFFFFFFFFF
      word ^= word >> 7
      word ^ (word << 17 & 0xFFFFFFFFFFFFFFFF)
    end

    def below(limit) = ((@state = mix(@state)) >> 11) % limit
    def of(list) = list[below(list.length)]
    def one_in(limit) = below(limit) == 0
  end

  # A case: lines of Ruby, with the pieces in `without` left out.
  class Case
    attr_reader :pieces

    def initialize(seed, index, targets, without = [])
      @seed, @index, @without, @pieces = seed, index, without, 0
      @dice = Dice.new(seed, index)
      @target = @dice.of(targets)
      @module = Object.const_get(@target.owner)
      @actions = ACTIONS.select do |text|
        name = text[/\A\$r(?:\.| *(?=[<\[]))(<<|\[|\w+[!?]?)/, 1]
        name.nil? ||
          !@target.singleton && (@module.method_defined?(name == "[" ? "[]=" : name) || !@module.is_a?(Class))
      end
    end

    # What a piece is, or its plain form when it is left out. Each has dice of its own, so that leaving out one leaves
    # the others as they are.
    def piece(plain)
      number = @pieces += 1
      full = yield Dice.new(@seed, @index, number)
      @without.include?(number) ? plain : full
    end

    def label = "#{@target.owner}#{@target.singleton ? '.' : '#'}#{@target.name}"

    # Something that happens in the middle of the call, mostly to the receiver or the first argument.
    def action(dice)
      text = dice.of(@actions)
      text = dice.of(ACTIONS).gsub("$r", "$a") if dice.one_in(@target.singleton ? 2 : 4)
      "(#{text} rescue $!.is_a?(NoMethodError) ? 0 : raise)"
    end

    def evil(dice)
      acts = dice.one_in(3) ? "(#{action(dice)}; #{action(dice)})" : action(dice)
      acts = "($n += 1) > #{dice.below(4)} ? #{acts} : 0" if dice.one_in(3)
      "evil(#{dice.one_in(4) ? dice.of(RESULTS) : ':own'}) { #{acts} }"
    end

    def value(dice) = dice.one_in(3) ? evil(dice) : dice.of(VALUES)

    def arguments
      arity = (@target.singleton ? @module.method(@target.name) : @module.instance_method(@target.name)).arity
      least = arity.negative? ? -arity - 1 : arity
      count = piece(least) do |dice|
        dice.one_in(16) ? dice.below(5) : arity.negative? ? least + dice.of([0, 0, 1, 1, 1, 2, 3]) : arity
      end
      list = Array.new(count) { |at| piece("nil") { |dice| at.zero? ? "($a = #{value(dice)})" : value(dice) } }
      list << piece(nil) { |dice| "*[#{value(dice)}, #{value(dice)}]" if dice.one_in(12) }
      list << piece(nil) do |dice|
        names = %w[a: exception: chomp: mode: in: random: half: step: by: freeze: encoding: invalid: timeout: keep:
                   max: mutex: a:]
        "**{#{dice.of(names)} #{value(dice)}}" if dice.one_in(6)
      end
      list << piece(nil) { |dice| "**#{evil(dice)}" if dice.one_in(40) }
      block = piece(nil) do |dice|
        bodies = ['proc { |a| %s; a }', 'lambda { |*a| %s }', 'method(:p)', ':to_s', 'evil(proc { %s }) { }']
        if dice.one_in(12)
          "&#{dice.one_in(6) ? value(dice) : dice.of(bodies) % action(dice).gsub('%', '%%')}"
        end
      end
      list << block
      return [list.compact.join(", "), ""] if block
      text = piece("") do |dice|
        body = [action(dice), value(dice), "#{action(dice)}; #{value(dice)}", "break #{dice.of(RESULTS)}",
                "($n += 1) > #{dice.below(5)} ? #{action(dice)} : #{value(dice)}", "next #{value(dice)}"]
        dice.one_in(2) ? " { |#{dice.of(['*a', 'a', 'a, b', 'a, *b, k: 1', '(a, b), c'])}| #{dice.of(body)} }" : ""
      end
      [list.compact.join(", "), text]
    end

    def receiver
      return @target.owner if @target.singleton
      owner = @module
      samples = SAMPLES[@target.owner]
      if samples.nil? && owner.is_a?(Class)
        heir = owner.ancestors.find do |m|
          SAMPLES.key?(m.name) && ![Object, Kernel, BasicObject, Comparable, Enumerable].include?(m)
        end
        samples = SAMPLES[heir.name].map { |text| text.gsub(heir.name, @target.owner) } if heir
        samples = [*samples, "#{@target.owner}.allocate", "#{@target.owner}.new", "#{@target.owner}.new('a')",
                   "Class.new(#{@target.owner}).allocate"]
      end
      unless owner.is_a?(Class)
        samples = [*samples, "Object.new.extend(#{@target.owner})", "Class.new { include #{@target.owner} }.new"]
      end
      base = piece(samples.first) { |dice| dice.of(samples) }
      base = piece(base) { |dice| dice.one_in(20) ? "#{base}.freeze" : base }
      base = piece(base) { |dice| dice.one_in(20) ? "#{base}.extend(Module.new { def dup = self })" : base }
      piece(base) { |dice| dice.one_in(30) ? value(dice) : base }
    end

    def call
      words, block = arguments
      name = @target.name.inspect
      bound = piece(false) { |dice| !@target.singleton && dice.one_in(4) }
      if bound
        arguments = ["$r", *(words unless words.empty?)].join(', ')
        return "#{@target.owner}.instance_method(#{name}).bind_call(#{arguments})#{block}"
      end
      "$r.__send__(#{[name, *(words unless words.empty?)].join(', ')})#{block}"
    end

    def source
      made = receiver
      called = call
      twice = piece(false) { |dice| dice.one_in(8) }
      place = piece(0) { |dice| dice.of([0, 0, 0, 1, 2, 2]) }
      body = "catch(:out) { #{called} }"
      body = "(#{body} rescue 0; #{body})" if twice
      body = ["v = #{body}", "v = Thread.new { Thread.current.report_on_exception = false; #{body} }.value",
              "f = Fiber.new { #{body} }; v = f.resume; 3.times { v = f.resume(1) if f.alive? }"][place]
      after = piece("") do |dice|
        dice.of(["", "", "; $r.inspect", "; v.inspect; $r.hash", "; $r.dup.to_s", "; v.to_a", "; v.first(3)",
                 "; v.next; v.next", "; $r = nil; GC.start; v.inspect", "; Marshal.load(Marshal.dump(v))",
                 "; v == $r; v <=> $r"])
      end
      again = "again = proc { $deep += 1; #{called} if $deep < 4 }\n" if (body + made).include?("again")
      "$n = $deep = 0\n#{"again = nil\n" if again}$r = #{made}\n#{again}#{body}#{after}"
    end
  end

  PREAMBLE = <<~RUBY
    OWN = Hash.new(1).update(
      to_str: "abc", to_s: "abc", to_ary: [1, 2], to_a: [1, 2], to_hash: {a: 1}, to_h: {a: 1}, to_proc: proc { 1 },
      to_sym: :a, to_path: "f", to_io: $stdin, to_f: 1.5, to_r: 2r, to_c: 1i, inspect: "x", keys: [:a],
      coerce: [1, 2], divmod: [1, 1], path: "f", string: "abc", read: "abc", encode: "abc", message: "m",
      backtrace: [], _dump: "d", to_json: "1", eql?: true, method_missing: 1, write: 1, hash: 7)
    def evil(result, &act)
      Class.new do
        NAMES.each do |name|
          define_method(name) do |*a, &b|
            Hostile.deep { act.call }
            b&.call(1, 2) if name == :each || name == :each_pair
            result == :own ? (OWN[name].dup) : result
          end
        end
      end.new
    end
  RUBY

  # Bounds the recursion of objects that call themselves.
  def self.deep
    Thread.current[:depth] = (Thread.current[:depth] || 0) + 1
    yield if Thread.current[:depth] < 20
  ensure
    Thread.current[:depth] -= 1
  end

  def self.shown(text)
    if text.include?("evil(")
      names =
        "NAMES = %i[#{NAMES.join(' ')}]\nmodule Hostile\n  def self.deep\n    @depth = (@depth || 0) + 1\n" \
        "    yield if @depth < 20\n  ensure\n    @depth -= 1\n  end\nend\n#{PREAMBLE}"
    end
    used = LIBRARIES.select do |name|
      text.match?(/#{name.delete("/").sub("strscan", "stringscanner").sub("psych", "psych|yaml")}/i)
    end
    "#{used.map { |name| "require \"#{name}\"\n" }.join}#{names}#{text}"
  end

  CLASS_OF = Kernel.instance_method(:class)
  SAME = BasicObject.instance_method(:equal?)

  # Whether a value is one of which a program can have only one, and is not that one.
  def self.marker?(value, depth = 0)
    klass = CLASS_OF.bind_call(value)
    return !SAME.bind_call(value, nil) if klass.equal?(NilClass)
    return !SAME.bind_call(value, true) if klass.equal?(TrueClass)
    return !SAME.bind_call(value, false) if klass.equal?(FalseClass)
    return false if depth > 1
    klass.equal?(Array) && value.first(50).any? { |item| marker?(item, depth + 1) }
  end

  LIMIT = 0.4
  # Collect at every allocation of a case, not of the harness.
  COLLECT = ENV["HOSTILE_STRESS"].to_s.include?("gc")
  KILL_LIMIT = 20
  EXIT = Process.method(:exit!)
  WRITE = $stderr.method(:write)

  def self.give_up(word, status)
    File.write(@verdict, word)
    EXIT.call(status)
  end

  def self.run_one(text)
    place = TOPLEVEL_BINDING.dup
    thread = Thread.new do
      Thread.current.report_on_exception = false
      value = begin
        GC.stress = true if COLLECT
        place.eval(text + "\nv", "case", 1)
      rescue Exception
        nil
      end
      give_up("marker", 98) if marker?(value)
    end
    return if thread.join(LIMIT)
    thread.raise(Interrupt) rescue nil
    return if thread.join(LIMIT)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + KILL_LIMIT
    until thread.join(0.1)
      thread.kill
      give_up("hang", 97) if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    end
  rescue Exception
    nil
  end

  # Ends after a case that has panicked: the cases behind it are not to blame.
  def self.look_for_panic
    size = File.size(@log)
    return if size == @seen
    text = File.binread(@log, size - @seen, @seen)
    @seen = size
    give_up("panic", 96) if text.include?("panicked at")
  end

  def self.settle
    GC.enable
    GC.stress = false rescue nil
    $r = $n = $deep = nil
    $stdout, $stderr, $, , $; , $/ = STDOUT, STDERR, nil, nil, "\n"
    Thread.list.each { |thread| thread.kill unless thread == Thread.current || thread == Thread.main }
    $VERBOSE = nil
  end

  def self.run(seed, from, count, only, progress, without)
    @verdict, @log, @seen = "#{progress}.verdict", "#{progress}.log", 0
    STDERR.reopen(@log, "w")
    ENV["HOME"] = Dir.pwd
    found = Hostile.targets(only)
    TOPLEVEL_BINDING.eval(PREAMBLE)
    count.times do |step|
      index = from + step
      text = Case.new(seed, index, found, without).source
      File.write(progress, index.to_s)
      run_one(text)
      look_for_panic
      settle
    end
    File.write(@verdict, "done")
    EXIT.call(0)
  end
end

Hostile::LIBRARIES.each do |name|
  require name
rescue LoadError
  nil
end
$VERBOSE = nil
command, seed, index, only, *rest = ARGV.dup
ARGV.clear
pieces = ->(text) { (text || "").split(",").map(&:to_i) }
case command
when "run" then Hostile.run(seed.to_i, index.to_i, rest[0].to_i, only, rest[1], pieces[rest[2]])
when "show"
  made = Hostile::Case.new(seed.to_i, index.to_i, Hostile.targets(only), pieces[rest[0]])
  text = made.source
  puts made.label, made.pieces, Hostile.shown(text)
end
