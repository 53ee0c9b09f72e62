# Ids of users and groups by number and name; calls that this system does not have.
Process::UID.from_name("root") # => 0
Process::GID.from_name("root") # => 0
Process::UID.from_name("no such user") # raises ArgumentError: can't find user for no such user
Process::GID.from_name("no such group") # raises ArgumentError: can't find group for no such group
Process::Sys.setruid(0) # raises NotImplementedError: setruid() function is unimplemented on this machine
Process::Sys.setresuid(-1, -1, -1) # => nil
Process::Sys.setregid(-1, -1) # => nil
Process::UID.switch # raises Errno::EPERM: Operation not permitted
Process::UID.change_privilege(Process.uid) == Process.uid # => true
Process::GID.grant_privilege(Process.egid) == Process.egid # => true
(Process::UID.eid = Process.euid) == Process.euid # => true
Process::UID.re_exchange == Process.uid # => true
Process.maxgroups = 5
Process.maxgroups # => 5
Process.maxgroups = 0 # raises ArgumentError: maxgroups 0 should be positive
waiter = Process.detach(fork { exit!(3) })
waiter.class # => Process::Waiter
waiter.pid == waiter.value.pid # => true
waiter.value.exitstatus # => 3
name = Process.argv0
$0 = "another title"
Process.argv0 == name # => true
Process.setproctitle("a\0b") # raises ArgumentError: string contains null byte
