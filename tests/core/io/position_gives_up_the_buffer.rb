# IO#pos of a file gives back what was read ahead, so that `sysread` and `sysseek` go on there.
require "tempfile"
file = Tempfile.new("position")
file.write("ab\ncdefghijkl\nmn\n")
file.close
PATH = file.path
def read = File.open(PATH) { |io| yield io }
read { |io| io.gets; io.pos; io.sysread(3) } # => "cde"
read { |io| io.gets; io.tell; io.sysread(3) } # => "cde"
read { |io| io.gets; io.seek(0, IO::SEEK_CUR); io.sysread(3) } # => "cde"
read { |io| io.gets; io.eof?; io.pos; io.sysread(3) } # => "cde"
read { |io| io.gets; io.pos; [io.gets, io.pos, io.read] } # => ["cdefghijkl\n", 14, "mn\n"]
read { |io| io.gets; io.pos; io.sysseek(0, IO::SEEK_CUR) } # => 3
read { |io| io.gets; io.pos; io.readpartial(3) } # => "cde"
read { |io| io.gets; io.getc; io.ungetc("z"); io.pos } # => 3
read { |io| io.gets; io.sysread(3) } # raises IOError: sysread for buffered IO
read { |io| io.gets; io.sysseek(0, IO::SEEK_CUR) } # raises IOError: sysseek for buffered IO
File.open(PATH, "r+") { |io| io.gets; io.pos; io.syswrite("Z"); io.pos } # => 4
File.read(PATH) # => "ab\nZdefghijkl\nmn\n"
