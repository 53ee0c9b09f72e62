# Functions of CRuby's headers that few extensions call.
require_relative "fixtures/build"
require "stringio"
require "tempfile"
object = load_c("declared")

["/", "//", "a", "a/", "/usr/lib/ruby.rb", "usr//lib//", "/.bashrc", "a/..x.y.z/", "ü/ß.ü"].map { Declared.parts(it) } # => [[0, 0, nil, 1, [0, 1, -1], 1], [0, 0, nil, 1, [1, 1, -1], 1], [1, 0, nil, 1, [0, 1, 1], 0], [1, 0, nil, 1, [0, 1, 1], 0], [0, 0, 8, 16, [9, 4, 7], 1], [3, 0, 3, 8, [5, 3, 3], 0], [0, 0, 0, 8, [1, 7, 7], 1], [1, 0, 1, 9, [2, 5, 7], 0], [2, 0, 2, 8, [3, 2, 5], 0]]

dir = Dir.mktmpdir
at_exit { system("rm", "-rf", dir) }
$LOAD_PATH.unshift(dir)
File.write("#{dir}/declared_one.rb", "")
inside = ->(path) { path.is_a?(String) ? path.delete_prefix(dir) : path }
Declared.file("declared_one.rb").map(&inside) # => ["/declared_one.rb", 0, "declared_one.rb"]
Declared.file("declared_one").map(&inside) # => [nil, 2, "/declared_one.rb"]
Declared.file("#{dir}/declared_one").map(&inside) # => [nil, 2, "/declared_one.rb"]
Declared.file("declared_two").map(&inside) # => [nil, 0, "declared_two"]
%w[a1 a2 a3 b1].each { File.write("#{dir}/#{it}", "") }
Dir.chdir(dir)
Declared.globbed("a?") # => [7, ["a1", "a2", "a3"], 7, ["a1", "a2", "a3"]]
Declared.globbed("[ab]1") # => [0, ["a1", "b1"], 0, ["a1", "b1"]]
Declared.globbed("{a,b}1") # => [0, ["a1", "b1"], 0, ["a1", "b1"]]
Declared.globbed("none*") # => [0, [], 0, []]
Declared.file("./declared_one").map { it.is_a?(String) ? File.basename(it) : it } # => [nil, 2, "declared_one.rb"]

Declared.decorated("UTF-8", "ISO-8859-1", 0, false, "crlf_newline", "ü\n") # => [0, "ISO-8859-1", "\xFC\r\n", -1]
Declared.decorated("UTF-8", "UTF-16BE", 0, false, "crlf_newline", "a\n") # => [0, "UTF-8", "\x00a\x00\r\x00\n", -1]
Declared.decorated("UTF-16BE", "UTF-8", 0, true, "universal_newline", "a\r\n".encode("UTF-16BE")) # => [0, "UTF-8", "a\n", -1]
Declared.decorated("UTF-8", "ISO-8859-1", 0, true, "xml_text_escape", "<ü>") # => [0, "ISO-8859-1", "&lt;\xFC&gt;", -1]
Declared.decorated("UTF-8", "US-ASCII", 0x22, false, "crlf_newline", "ü\n") # => [0, "US-ASCII", "?\r\n", -1]
Declared.decorated("UTF-8", "ISO-8859-1", 0, false, "nothing", "ü\n") # => [-1, "ISO-8859-1", 0]
Declared.inserted("日", "本") # => [0, "\e$BF|K\\\e(B"]
%w[UTF-8 UTF-16BE ISO-2022-JP nothing].map { Declared.compatible(it) } # => [nil, "UTF-8", "stateless-ISO-2022-JP", nil]
Declared.options({ invalid: :replace, replace: "?" }, 0x100) # => [258, {replace: "?"}]
Declared.options(nil, 0x100) # => [256, nil]

Declared.scanned("abc", 0) # => [3, 1]
Declared.scanned("abc", 2) # => [3, 2]
Declared.scanned("aü", 0) # => [3, 2]
Declared.scanned("aü\xC3", 0) # => [3, 0]
Declared.scanned("aü\xFFb", 0) # => [3, 3]
Declared.scanned("\xFFb".b, 0) # => [2, 2]
Declared.scanned("a\0".dup.force_encoding("UTF-16LE"), 0) # => [2, 2]
Declared.scanned("abc", 3) # => [3, 3]

file = Tempfile.new
file.write("0123456789")
file.flush
Declared.buffer(file) # => [7, "\x00\x00xxxx\x00\x003456789\x00", 14, "\x00\x00xx", true]
file.rewind
file.read # => "xxxx\u0000\u00003456789\u0000"

class Asked < BasicObject
  def initialize = @calls = []
  attr_reader :calls
  def respond_to?(name, _ = false) = name != :fiber_interrupt
  def shown(word) = ::IO::Buffer === word ? [word.get_string, word.locked?, word.readonly?] : ::IO === word ? :io : word
  %i[kernel_sleep process_wait io_close io_select io_read io_write io_pread io_pwrite io_wait].each do |name|
    define_method(name) do |*words|
      @calls << [name, *words.map { shown(it) }]
      words[1].set_string("X") if name == :io_read
      @calls.size
    end
  end
end
scheduler = Asked.new
Declared.asked(scheduler, $stdin) # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "Xbcd"]
scheduler.calls # => [[:kernel_sleep, 0], [:process_wait, 12, 1], [:io_close, :io], [:io_select, nil, nil, nil, 1], [:io_read, :io, ["abcd", true, false], 2, 0], [:io_write, :io, ["Xbcd", true, true], 3, 0], [:io_pread, :io, ["Xbcd", true, false], 5, 2, 0], [:io_pwrite, :io, ["Xbcd", true, true], 6, 3, 0], [:io_wait, :io, 1, nil], [:io_wait, :io, 4, nil]]
class Less; def kernel_sleep(*) = 1; def io_wait(*) = 2; end
Declared.asked(Less.new, $stdin) # => [1, :undef, :undef, :undef, :undef, :undef, :undef, :undef, 2, 2, "abcd"]

Declared.words("one, two,,three\tfour ") # => ["one", "two", "three", "four"]
module Outer; A = 1; end
module Inner; include Outer; B = 2; end
Declared.constants(Inner).sort # => [:A, :B]
Declared.own_constants(Inner) # => [:B]
Declared.resurrected(Class.new(Array).new([1, 2])) # => [Array, [1, 2]]
Declared.real(0, 0, true) # => 0.0
Declared.real(0xffffffff, 0xffffffff, true) # => 0.9999999999999999
Declared.real(0xffffffff, 0xffffffff, false) # => 1.0
Declared.real(0x80000000, 1, false) # => 0.5
%w[abc a= [] @a $1 +@ a? é].push("a b", "1a", "").map { Declared.plain(it) } # => [true, true, true, true, true, true, true, true, false, false, false]
[[1, [2].freeze].freeze, [[]].freeze].map { Declared.shareable(it) } # => [true, false]
seen = []
Declared.traced(:$declared, proc { seen << it })
$declared = 3
Declared.untraced(:$declared).size # => 1
$declared = 4
seen # => [3]
stream = StringIO.new
was, $stderr = $stderr, stream
Declared.written("text")
$stderr = was
stream.string # => "text"
was = $stdout
is_set = Declared.out_set(stream).equal?(stream)
$stdout = was
is_set # => true
Declared.overflow # raises ArgumentError: malloc: possible integer overflow (18446744073709551615+2)
reader, writer = IO.pipe
[Declared.closing(reader, {}), Declared.closing(reader, { reader.fileno => true })] # => [1, 0]
Declared.resolved(object, "Init_declared") # => true
Declared.resolved(object, "no_such_function") # => false
Declared.resolved("no_such_feature", "Init_declared") # => false
[Declared.resolved("complex", "rb_complex_minus"), Declared.resolved("complex.so", "rb_no_such_function")] # => [true, false]
Declared.opened(reader.tap { it.autoclose = false }.fileno) # => true
Declared.opened(-1) # raises Errno::EBADF: Bad file descriptor

[IO.allocate, File.allocate, $stdout].map { Declared.kind(it) } # => [11, 11, 11]
Declared.converted("a\0b\0", "UTF-16LE", "UTF-8") # => "ab"
Declared.converted("ab", "US-ASCII", "UTF-8").encoding # => #<Encoding:UTF-8>

# These end the process.
def ended(code)
  reader, writer = IO.pipe
  pid = fork do
    $stderr.reopen(writer)
    Process.setrlimit(:CORE, 0)
    code.call
  end
  writer.close
  text = reader.read
  [Process.wait2(pid)[1].termsig, text]
end
ended(-> { Declared.stopped }).then { |signal, text| [signal, text[/stopped: .*/]] } # => [6, "stopped: No such file or directory (ENOENT)"]
ended(-> { Declared.asserted }).then { |signal, text| [signal, text[/Assertion Failed: .*/]] } # => [6, "Assertion Failed: f:1 == 2"]
ended(-> { Declared.killed(15) }) # => [15, ""]
def told(text)
  text.lines(chomp: true).then do
    [it[0][/\[BUG\].*?(?= at|$)/], it[1] == RUBY_DESCRIPTION, it.grep(/\Ac:/).first&.slice(/\w+'?$/),
     it.grep(/\Aadded/)]
  end
end
ended(-> { Declared.broken }).then { |signal, text| [signal, told(text)] } # => [6, ["[BUG] number 3", true, "broken'", []]]
ended(-> { Declared.faulty }).then { |signal, text| [signal, told(text)] } # => [11, ["[BUG] Segmentation fault", true, "faulty'", []]]
ended(-> { Declared.adds; Declared.faulty }).then { |signal, text| [signal, told(text)] } # => [11, ["[BUG] Segmentation fault", true, "faulty'", ["added: text"]]]
ended(-> { Thread.new { Declared.faulty }.join }).then { |signal, text| [signal, told(text)] } # => [11, ["[BUG] Segmentation fault", true, "faulty'", []]]
ended(-> { Fiber.new { Declared.faulty }.resume }).then { |signal, text| [signal, told(text)] } # => [11, ["[BUG] Segmentation fault", true, "faulty'", []]]
