# What is written to a terminal is shown at once, whatever `sync` is: programs show what they are at without a newline.
require "pty"
def first_seen(code)
  PTY.spawn(RbConfig.ruby, "-e", code) do |out, input, pid|
    text = +""
    text << out.readpartial(100) until text.size >= 3
    input.puts
    Process.wait(pid)
    return text
  end
end
first_seen("STDOUT.write('abc'); STDIN.sysread(1)") # => "abc"
first_seen("$stdout.sync = false; print 'a'; print 'b', 'c'; STDIN.sysread(1)") # => "abc"
first_seen("tty = File.open('/dev/tty', 'w'); tty << 'abc'; STDIN.sysread(1)") # => "abc"
