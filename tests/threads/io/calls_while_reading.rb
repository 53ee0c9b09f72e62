# Every method of IO, called while another thread is in each kind of blocking call on the same IO: an answer or an
# exception, and the reader ends with what is written.
# timeout: 120
BLOCKING = {
  read: ->(io) { io.read }, gets: ->(io) { io.gets }, readline: ->(io) { io.readline }, getc: ->(io) { io.getc },
  getbyte: ->(io) { io.getbyte }, readpartial: ->(io) { io.readpartial(10) }, sized: ->(io) { io.read(100) },
  sysread: ->(io) { io.sysread(5) }, lines: ->(io) { io.each_line.to_a }, readlines: ->(io) { io.readlines },
  chars: ->(io) { io.each_char.to_a }, bytes: ->(io) { io.each_byte.to_a }, eof: ->(io) { io.eof? },
  paragraph: ->(io) { io.gets("") }, limited: ->(io) { io.gets("x", 50) },
  copy: ->(io) { IO.copy_stream(io, File::NULL) }, wait: ->(io) { io.wait_readable(1) },
  byte_order_mark: ->(io) { io.set_encoding_by_bom }
}
ARGUMENTS = {
  set_encoding: ["utf-16le:utf-8"], reopen: [File::NULL], :sync= => [true], :autoclose= => [true], ungetc: ["é"],
  ungetbyte: [65], :pos= => [0], seek: [0], sysseek: [0], :lineno= => [3], :close_on_exec= => [true], :timeout= => [5],
  read: [0], read_nonblock: [1], readpartial: [0], sysread: [0], pread: [1, 0], pwrite: ["a", 0], write: ["x"],
  print: ["x"], puts: ["x"], putc: ["x"], printf: ["x"], :<< => ["x"], syswrite: ["x"], write_nonblock: ["x"],
  ioctl: [0], fcntl: [1], advise: [:normal], wait: [0], wait_readable: [0], wait_writable: [0], wait_priority: [0]
}
WAITING = %i[getc gets readline readlines readchar readbyte getbyte each each_line each_char each_byte eof? eof
             set_encoding_by_bom pathconf]
METHODS = IO.instance_methods(false) - WAITING

failures = []
["rb", "rb:utf-16le:utf-8", "rt"].each do |mode|
  BLOCKING.each do |name, call|
    METHODS.each do |method|
      reader, writer = IO.pipe
      input = IO.for_fd(reader.fileno, mode, autoclose: false)
      ended = nil
      waiting = Thread.new do
        call.(input)
      rescue IOError, SystemCallError, EncodingError, ArgumentError
      rescue Exception => e
        ended = e
      end
      Thread.pass until waiting.stop?
      begin
        input.public_send(method, *ARGUMENTS.fetch(method, []))
      rescue IOError, SystemCallError, EncodingError, ArgumentError
      rescue Exception => e
        failures << [mode, name, method, e]
      end
      writer.write("a\0b\0\n\0\n\0") rescue nil
      writer.close
      failures << [mode, name, method, :hangs] unless waiting.join(20)
      failures << [mode, name, method, ended] if ended
      waiting.kill.join
      input.close rescue nil
      reader.close rescue nil
    end
  end
end
failures # => []
