# Which line ends the options of newlines change, and when.
require "tmpdir"
dir = Dir.mktmpdir
f = "#{dir}/f"
File.binwrite(f, "a\r\nb\rc\n")
read = ->(mode, **options) { File.open(f, mode, **options) { |io| io.read } }
read.("r", newline: :crlf) # => "a\r\nb\rc\n"
read.("rt", crlf_newline: true) # => "a\r\nb\rc\n"
read.("r", newline: :universal) # => "a\nb\nc\n"
read.("rt") # => "a\nb\nc\n"
read.("rt", newline: :lf) # => "a\r\nb\rc\n"
read.("r", newline: :cr) # => "a\r\nb\rc\n"
read.("rb", universal_newline: true) # raises ArgumentError: newline decorator with binary mode
read.("rb", newline: :lf) # raises ArgumentError: newline decorator with binary mode
written = [:lf, :crlf, :cr, :universal].map do |newline|
  File.open(f, "w", newline: newline) { |io| io.puts("a", "b\n"); io.print("c\n") }
  File.binread(f)
end
written # => ["a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\rb\rc\r", "a\nb\nc\n"]
File.delete(f)
Dir.rmdir(dir)
