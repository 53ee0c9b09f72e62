# Errors of io/console: with the name of what is no terminal, but for a change that lasts as long as a block
require "io/console"
require "pty"
null = File.open(File::NULL)
null.winsize # raises Errno::ENOTTY: Inappropriate ioctl for device - /dev/null
null.console_mode # raises Errno::ENOTTY: Inappropriate ioctl for device - /dev/null
null.raw! # raises Errno::ENOTTY: Inappropriate ioctl for device - /dev/null
null.raw { } # raises Errno::ENOTTY: Inappropriate ioctl for device
null.cooked { } # raises Errno::ENOTTY: Inappropriate ioctl for device
null.noecho { } # raises Errno::ENOTTY: Inappropriate ioctl for device
null.getch # raises Errno::ENOTTY: Inappropriate ioctl for device

# A terminal that has gone away: the function that read is named.
read = lambda do |first|
  master, slave = PTY.open
  slave.raw!
  slave << "ab"
  slave.close
  master.getc if first
  master.read
rescue SystemCallError => e
  e.message.gsub(/fd:\d+/, "fd:N").sub(%r{masterpty:/dev/\S+}, "TTY")
end
read[false] # => "Input/output error @ io_fread - TTY"
read[true] # => "Input/output error @ io_fillbuf - fd:N TTY"
