# The message of a read that fails names what CRuby's function for it is called, and the file.
CALLS = {
  gets: -> { it.gets }, gets_all: -> { it.gets(nil) }, gets_limit: -> { it.gets(nil, 3) },
  paragraph: -> { it.gets("") }, getc: -> { it.getc }, readchar: -> { it.readchar }, getbyte: -> { it.getbyte },
  readbyte: -> { it.readbyte }, eof?: -> { it.eof? }, readlines: -> { it.readlines },
  each_line: -> { it.each_line { } }, each_char: -> { it.each_char { } }, each_byte: -> { it.each_byte { } },
  read: -> { it.read }, read_some: -> { it.read(1) }, readpartial: -> { it.readpartial(1) },
  sysread: -> { it.sysread(1) }, read_nonblock: -> { it.read_nonblock(1) }, pread: -> { it.pread(1, 0) },
  copy: -> { IO.copy_stream(it, IO::NULL) },
}
def answers(how)
  CALLS.map do |name, call|
    io = how.call
    [name, (call.call(io) rescue "#{$!.class}: #{$!.message.sub("fd:#{io.fileno} ", "fd:N ")}")]
  ensure
    io&.close
  end
end
puts(answers(-> { File.open("/") }).map { it.join(" ") })
# prints: gets Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: gets_all Errno::EISDIR: Is a directory @ io_fread - /
# prints: gets_limit Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: paragraph Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: getc Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: readchar Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: getbyte Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: readbyte Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: eof? Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: readlines Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: each_line Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: each_char Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: each_byte Errno::EISDIR: Is a directory @ io_fillbuf - fd:N /
# prints: read Errno::EISDIR: Is a directory @ io_fread - /
# prints: read_some Errno::EISDIR: Is a directory @ io_fread - /
# prints: readpartial Errno::EISDIR: Is a directory @ io_getpartial - /
# prints: sysread Errno::EISDIR: Is a directory @ rb_io_sysread - /
# prints: read_nonblock Errno::EISDIR: Is a directory @ io_read_nonblock - /
# prints: pread Errno::EISDIR: Is a directory @ rb_io_pread - /
# prints: copy Errno::EISDIR: Is a directory - read
puts(answers(-> { IO.for_fd(IO.sysopen("/")) }).map { it.join(" ") })
# prints: gets Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: gets_all Errno::EISDIR: Is a directory
# prints: gets_limit Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: paragraph Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: getc Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: readchar Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: getbyte Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: readbyte Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: eof? Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: readlines Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: each_line Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: each_char Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: each_byte Errno::EISDIR: Is a directory @ io_fillbuf - fd:N
# prints: read Errno::EISDIR: Is a directory
# prints: read_some Errno::EISDIR: Is a directory
# prints: readpartial Errno::EISDIR: Is a directory
# prints: sysread Errno::EISDIR: Is a directory
# prints: read_nonblock Errno::EISDIR: Is a directory
# prints: pread Errno::EISDIR: Is a directory
# prints: copy Errno::EISDIR: Is a directory - read
File.open("/", "r:utf-16le:utf-8") { |file| file.read rescue $!.message.sub(/fd:\d+/, "fd:N") } # => "Is a directory @ io_fillbuf - fd:N /"
File.open("/", "rt") { |file| file.read rescue $!.message.sub(/fd:\d+/, "fd:N") } # => "Is a directory @ io_fillbuf - fd:N /"
IO.readlines("/") rescue $!.message.sub(/fd:\d+/, "fd:N") # => "Is a directory @ io_fillbuf - fd:N /"
File.read("/") # raises Errno::EISDIR: Is a directory @ io_fread - /
