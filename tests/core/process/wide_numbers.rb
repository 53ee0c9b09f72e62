# Numbers beyond what a system call takes raise; they are not cut.
require "tmpdir"
WIDE = 2**40
Process.kill(0, WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.wait(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.wait(nil) # raises TypeError: no implicit conversion from nil to integer
Process.wait(-1, WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
Process.detach(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.getpgid(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.getsid(nil) == Process.getsid # => true
Process.getpriority(WIDE, 0) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.uid = WIDE # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
Process.groups = [WIDE] # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
Process.groups = 3 # raises TypeError: wrong argument type Integer (expected Array)
Process.euid = -1
Process.euid == Process.uid # => true
Process.clock_gettime(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.clock_gettime(99) # raises Errno::EINVAL: Invalid argument - clock_gettime(99)
Process.clock_getres(99) # raises Errno::EINVAL: Invalid argument - clock_getres(99)
Process.setrlimit(:CORE, 2**70) # raises RangeError: bignum too big to convert into 'unsigned long'
Process.daemon(1, 2) # raises ArgumentError: expected true or false as noclose: 2
File.umask(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
IO.new(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Dir.for_fd(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Dir.fchdir(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Dir.mktmpdir do |dir|
  path = File.join(dir, "f")
  File.write(path, "x")
  File.chmod(WIDE, path) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
  File.chmod(nil, path) # raises TypeError: no implicit conversion of nil into Integer
  File.chown(WIDE, nil, path) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
  File.mkfifo(path, WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
  File.open(path, WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
  File.open(path, "r", WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
  File.open(path, flags: WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
  Dir.mkdir(path, nil) # raises TypeError: no implicit conversion of nil into Integer
  File.open(path) do |f|
    f.flock(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'int'
    f.chmod(WIDE) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
    f.fcntl(WIDE, 1) # raises RangeError: integer 1099511627776 too big to convert to 'int'
    f.seek(0, :FOO) # raises TypeError: no implicit conversion of Symbol into Integer
  end
end
