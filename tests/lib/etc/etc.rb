require "etc"
Etc.getpwnam("root").to_a.first(4) # => ["root", "x", 0, 0]
Etc.getgrnam("root").to_a # => ["root", "x", 0, []]
Etc.getpwuid(0).name # => "root"
Etc::Passwd.members # => [:name, :passwd, :uid, :gid, :gecos, :dir, :shell]
Etc::Group.members # => [:name, :passwd, :gid, :mem]
Etc.getpwnam("nosuch") # raises ArgumentError: can't find user for nosuch
Etc.getpwuid(987654) # raises ArgumentError: can't find user for 987654
Etc.getgrgid(987654) # raises ArgumentError: can't find group for 987654
Etc.getpwuid("x") # raises TypeError: no implicit conversion of String into Integer
Etc.getpwnam(1) # raises TypeError: no implicit conversion of Integer into String
Etc::Passwd.first.name # => "root"
Etc::Group.each.first.name # => "root"
Etc::Passwd.map(&:name).include?("daemon") # => true
Etc.getpwent.class # => Etc::Passwd
Etc.endpwent # => nil
Etc.confstr(Etc::CS_PATH).class # => String
Etc.confstr(-1) # raises Errno::EINVAL: Invalid argument - confstr
Etc.sysconf(Etc::SC_PAGESIZE) # => 4096
Etc.sysconf(-1) # raises Errno::EINVAL: Invalid argument - sysconf
IO.pipe[0].pathconf(Etc::PC_PIPE_BUF) # => 4096
Etc.uname.keys # => [:sysname, :nodename, :release, :version, :machine]
Etc.systmpdir # => "/tmp"
Etc.sysconfdir # => "/etc"
Etc.nprocessors > 0 # => true
require "fcntl"
Fcntl::F_SETFD # => 2
Fcntl::O_NONBLOCK # => 2048
require "io/nonblock"
reader, writer = IO.pipe
writer.nonblock { |io| io.nonblock? } # => true
writer.nonblock(false) { |io| io.nonblock? } # => false
require "io/wait"
reader.nread # => 0
writer.write("abc") # => 3
reader.nread # => 3
reader.wait(0).equal?(reader) # => true
reader.wait(IO::READABLE, 0) == IO::READABLE # => true
reader.wait(:x) # raises ArgumentError: unsupported mode: x
reader.wait_writable(0) # raises IOError: not opened for writing
