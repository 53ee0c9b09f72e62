# What a copy takes for a stream, a name or an object with methods, and what it leaves behind.
require "stringio"
require "tmpdir"
DIR = Dir.mktmpdir
File.write("#{DIR}/source", "text")
IO.copy_stream(nil, StringIO.new) # raises NoMethodError: undefined method 'read' for nil
IO.copy_stream(5, StringIO.new, 0) # => 0
IO.copy_stream(5, StringIO.new, 1) # raises NoMethodError: undefined method 'read' for an instance of Integer
IO.copy_stream(5, StringIO.new, 1, 2) # raises ArgumentError: cannot specify src_offset for non-IO
IO.copy_stream("#{DIR}/source", 5) # raises NoMethodError: undefined method 'write' for an instance of Integer
only_to_io = Object.new
def only_to_io.to_io = File.open("#{DIR}/source")
def only_to_io.inspect = "only to_io"
begin
  IO.copy_stream(only_to_io, StringIO.new)
rescue NoMethodError => error
  error.name # => :read
end
with_path = Object.new
def with_path.to_path = "#{DIR}/source"
IO.copy_stream(with_path, target = StringIO.new) # => 4
target.string # => "text"
File.open(DIR) { |directory| IO.copy_stream(directory, StringIO.new) } # raises Errno::EISDIR: Is a directory - read
# The target is binary from then on, whatever the source is.
states = [StringIO.new("text"), "#{DIR}/source", File.open("#{DIR}/source")].map { |source|
  File.open("#{DIR}/target", "w+", crlf_newline: true) do |file|
    IO.copy_stream(source, file)
    state = [file.binmode?, file.external_encoding, file.internal_encoding]
    file.write("line\n")
    file.rewind
    [state, file.read]
  end
}
states.uniq # => [[[true, #<Encoding:BINARY (ASCII-8BIT)>, nil], "textline\n"]]
File.open("#{DIR}/target", "wb:UTF-16BE") { |file| IO.copy_stream(StringIO.new("text"), file) } # => 4
File.binread("#{DIR}/target") # => "text"
# Text that has been decoded in part.
File.binwrite("#{DIR}/source", "xyz\r\nä")
File.open("#{DIR}/source", "rt:UTF-8:UTF-16LE") { |file| [file.getc, IO.copy_stream(file, target = StringIO.new, 2), target.string, file.read] } # => ["x", 2, "yz", "\n\u00E4"]
Dir.children(DIR).each { File.delete("#{DIR}/#{it}") }
Dir.rmdir(DIR) # => 0
