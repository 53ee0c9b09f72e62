require "pty"
require "io/console"
require "io/console/size"
require "io/wait"
master, slave = PTY.open
master.inspect == "#<IO:masterpty:#{slave.path}>" # => true
slave.class # => File
slave.tty? # => true
slave.winsize # => [0, 0]
slave.winsize = [30, 90]
master.winsize # => [30, 90]
slave.send(:winsize=, [1]) # raises ArgumentError: wrong number of arguments (given 1, expected 2 or 4)
slave.echo? # => true
slave.noecho { |io| io.echo? } # => false
slave.echo? # => true
slave.raw { |io| io.equal?(slave) } # => true
master.write("ab")
slave.getch # => "a"
slave.getch(min: 0, time: 0.1) # => "b"
slave.getch(min: 0) # => nil
mode = slave.console_mode
mode.class # => IO::ConsoleMode
mode.echo = false
slave.echo? # => true
slave.console_mode = mode
slave.echo? # => false
slave.cooked! .equal?(slave) # => true
# Whether the two letters were echoed depends on when the terminal saw them.
sleep 0.02
master.read_nonblock(100, exception: false)
master.write("typed\n")
slave.gets # => "typed\n"
master.readpartial(100) # => "typed\r\n"
slave.goto(1, 2).equal?(slave) # => true
slave.cursor_up(3)
slave.cursor_right(-2)
slave.erase_line(0)
slave.erase_screen(2)
slave.flush
sleep 0.05
master.readpartial(100) # => "\e[2;3H\e[3A\e[2D\e[0K\e[2J"
slave.erase_line(9) # raises ArgumentError: wrong line erase mode: 9
slave.ttyname == slave.path # => true
master.close
slave.close
IO.pipe[0].winsize # raises Errno::ENOTTY: Inappropriate ioctl for device
IO.pipe[0].raw { } # raises Errno::ENOTTY: Inappropriate ioctl for device
IO.default_console_size.size # => 2
reader, writer, pid = PTY.spawn("read line; echo got $line; exit 3")
writer.puts "hi"
[reader.gets, reader.gets] # => ["hi\r\n", "got hi\r\n"]
(reader.gets rescue $!.class) # => Errno::EIO
Process.wait(pid)
$?.exitstatus # => 3
reader.close
writer.close
PTY.spawn("cat") do |r, w, cat|
  w.puts "x"
  r.gets # => "x\r\n"
  PTY.check(cat) # => nil
  Process.kill(:KILL, cat)
  sleep 0.01 until (status = PTY.check(cat))
  status.termsig # => 9
end
reader, writer, pid = PTY.spawn("exit 2")
begin
  sleep 0.01 until PTY.check(pid, true)
rescue PTY::ChildExited => error
  error.status.exitstatus # => 2
  error.message == "pty - exited: #{pid}" # => true
end
PTY.spawn("/nonono/nothing") # raises Errno::ENOENT
