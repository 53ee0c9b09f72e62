# Messages, inspect and resolved paths have the encoding of the path that the program gave.
require "tmpdir"
DIR = Dir.mktmpdir
at_exit { system("rm", "-rf", DIR) }
Dir.chdir(DIR)
SJIS = "/x\u3042/y".encode("Windows-31J")
[-> { File.open(SJIS) }, -> { IO.sysopen(SJIS) }, -> { File.stat(SJIS) }, -> { File.unlink(SJIS) }, -> { File.readlink(SJIS) }, -> { File.realpath(SJIS) }, -> { Dir.chdir(SJIS) }, -> { Dir.mkdir(SJIS) }, -> { Dir.rmdir(SJIS) }, -> { Dir.open(SJIS) }, -> { Dir.children(SJIS) }, -> { File.mtime(SJIS) }, -> { File.size(SJIS) }, -> { File.ftype(SJIS) }, -> { File.truncate(SJIS, 1) }, -> { File.rename(SJIS, "/a") }, -> { $stdin.dup.reopen(SJIS) }].map { |call| call.call rescue $!.message.encoding }.uniq # => [#<Encoding:Windows-31J>]
File.rename(SJIS, "/\u3042") # raises Encoding::CompatibilityError: incompatible character encodings: Windows-31J and UTF-8
(File.open("/missing".encode("Windows-31J")) rescue $!.message.encoding) # => #<Encoding:UTF-8>
(File.open("/missing\xff".b) rescue [$!.message, $!.message.encoding]) # => ["No such file or directory @ rb_sysopen - /missing\xFF", #<Encoding:BINARY (ASCII-8BIT)>]
SystemCallError.new("\u3042".encode("EUC-JP"), 2).message.encoding # => #<Encoding:EUC-JP>
name = "\u3042".encode("Windows-31J")
File.open(name, "w") { |f| [f.inspect.encoding, f.inspect.b] } # => [#<Encoding:Windows-31J>, "#<File:\x82\xA0>"]
Dir.mkdir(name + "d")
Dir.open(name + "d") { |d| d.inspect.encoding } # => #<Encoding:Windows-31J>
File.open("plain", "w") { |f| f.inspect.encoding } # => #<Encoding:BINARY (ASCII-8BIT)>
File.realpath("plain".encode("EUC-JP")).encoding # => #<Encoding:EUC-JP>
File.realdirpath("none".encode("EUC-JP")).encoding # => #<Encoding:EUC-JP>
File.basename("foo\x93_a".dup.force_encoding("Windows-31J"), "_a") == "foo\x93_a".dup.force_encoding("Windows-31J") # => true
File.expand_path("~".encode("US-ASCII")).encoding # => #<Encoding:UTF-8>
reader, = IO.pipe
File.realpath("/dev/fd/#{reader.fileno}") == "/proc/#{$$}/fd/#{reader.fileno}" # => true
(File.realpath("/dev/fd/12345") rescue $!.class) # => Errno::ENOENT
Encoding.default_external = "UTF-16BE"
File.expand_path("a") # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16BE
File.expand_path("/a") # => "/a"
