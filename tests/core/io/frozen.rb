# A frozen IO can be asked for what it is, and closed; it neither reads nor writes, and nothing of it can be set.
require "tmpdir"
require "io/wait"
require "io/nonblock"
DIR = Dir.mktmpdir
PATH = "#{DIR}/file"
CALLS = {
  read: -> { it.read(1) }, read_all: -> { it.read }, gets: -> { it.gets }, readline: -> { it.readline },
  readlines: -> { it.readlines }, each_line: -> { it.each_line { } }, each_char: -> { it.each_char { } },
  each_byte: -> { it.each_byte { } }, getc: -> { it.getc }, readchar: -> { it.readchar }, getbyte: -> { it.getbyte },
  readbyte: -> { it.readbyte }, readpartial: -> { it.readpartial(2) }, sysread: -> { it.sysread(2) },
  read_nonblock: -> { it.read_nonblock(2) }, pread: -> { it.pread(2, 0) }, ungetc: -> { it.ungetc("x") },
  ungetbyte: -> { it.ungetbyte(3) }, eof?: -> { it.eof? }, lineno: -> { it.lineno }, "lineno=": -> { it.lineno = 3 },
  write: -> { it.write("x") }, write_many: -> { it.write("x", "y") }, write_much: -> { it.write("x" * 200_000) },
  "<<": -> { it << "x" }, print: -> { it.print("x") }, puts: -> { it.puts("x") }, putc: -> { it.putc(3) },
  syswrite: -> { it.syswrite("x") }, write_nonblock: -> { it.write_nonblock("x") }, pwrite: -> { it.pwrite("x", 0) },
  flush: -> { it.flush }, fsync: -> { it.fsync }, fdatasync: -> { it.fdatasync }, sync: -> { it.sync },
  "sync=": -> { it.sync = true }, pos: -> { it.pos }, "pos=": -> { it.pos = 1 }, seek: -> { it.seek(0) },
  sysseek: -> { it.sysseek(0) }, rewind: -> { it.rewind }, binmode: -> { it.binmode }, binmode?: -> { it.binmode? },
  close_read: -> { it.close_read }, close_write: -> { it.close_write }, tty?: -> { it.tty? }, pid: -> { it.pid },
  "autoclose=": -> { it.autoclose = true }, close_on_exec?: -> { it.close_on_exec? },
  "close_on_exec=": -> { it.close_on_exec = true }, fcntl: -> { it.fcntl(1) },
  external_encoding: -> { it.external_encoding }, internal_encoding: -> { it.internal_encoding },
  set_encoding: -> { it.set_encoding("utf-8") }, set_encoding_by_bom: -> { it.set_encoding_by_bom },
  stat: -> { it.stat }, lstat: -> { it.lstat }, reopen: -> { it.reopen(PATH) }, reopen_io: -> { it.reopen($stdin) },
  advise: -> { it.advise(:normal) }, wait: -> { it.wait(0) }, wait_readable: -> { it.wait_readable(0) },
  wait_writable: -> { it.wait_writable(0) }, dup: -> { it.dup }, flock: -> { it.flock(File::LOCK_SH) },
  chmod: -> { it.chmod(0o644) }, chown: -> { it.chown(nil, nil) }, truncate: -> { it.truncate(3) },
  size: -> { it.size }, mtime: -> { it.mtime }, atime: -> { it.atime }, select: -> { IO.select([it], nil, nil, 0) },
  select_write: -> { IO.select(nil, [it], nil, 0) }, copy_from: -> { IO.copy_stream(it, IO::NULL) },
  copy_to: -> { IO.copy_stream(PATH, it) }, spawn: -> { spawn("true", out: it) },
}
File.write(PATH, "abc\n")
ANSWERS = CALLS.map do |name, call|
  io = File.open(PATH, "r+").freeze
  error = begin
    call.call(io)
  rescue FrozenError => e
    [e.message, e.receiver.equal?(io)]
  end
  io.close
  [name, error]
end
ANSWERS.reject { |_, answer| answer == ["can't modify frozen File: #<File:#{PATH}>", true] } # => []
File.read(PATH) # => "abc\n"

file = File.open(PATH, "r+").freeze
file.fileno == file.to_i # => true
file.path == PATH # => true
file.to_io.equal?(file) # => true
file.inspect == "#<File:#{PATH}>" # => true
file.autoclose? # => true
file.timeout # => nil
file.timeout = 3
file.timeout # => 3
file.nonblock? # => false
file.write("") # => 0
file.closed? # => false
file.close # => nil
file.closed? # => true
file.read # raises FrozenError
File.delete(PATH)
Dir.rmdir(DIR)
