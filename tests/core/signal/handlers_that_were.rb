# What `trap` answers for handlers of the system, and commands that are none.
trap("EXIT", "DEFAULT") # => nil
trap("EXIT", "IGNORE") # => nil
trap(0) {} # => nil
trap("EXIT", "DEFAULT").class # => Proc
trap("CHLD", "SIG_IGN") # => "DEFAULT"
trap("CHLD", "DEFAULT") # => "IGNORE"
trap("CHLD", "DEFAULT") # => "DEFAULT"
trap("PIPE", "DEFAULT") # => nil
trap("PIPE") {} # => nil
trap("PIPE", "DEFAULT").class # => Proc
trap("WINCH", "SYSTEM_DEFAULT") # => "SYSTEM_DEFAULT"
trap("USR1", nil) # => "DEFAULT"
trap("USR1", "DEFAULT") # => nil

# Neither text nor an object that could be called: the signal does nothing.
trap("USR1", 1) # => "DEFAULT"
Process.kill(:USR1, $$) # => 1
trap("USR1", 1.5) # => 1
Process.kill(:USR1, $$) # => 1
trap("USR1", true) # => 1.5
Process.kill(:USR1, $$) # => 1
trap("USR1", "DEFAULT") # => "DEFAULT"

trap("INT\0") {} # raises ArgumentError: signal name with null byte
Process.kill("EXIT", $$) # raises ArgumentError: unsupported signal 'SIGEXIT'
Process.kill(0, 1 << 40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.kill(1 << 40, $$) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Signal.signame(1 << 40) # raises RangeError: integer 1099511627776 too big to convert to 'int'

# The last signal there is.
got = Queue.new
trap(64) { got << _1 }
Process.kill(64, $$) # => 1
got.pop(timeout: 10) # => 64

# What the parent has made us ignore.
IO.popen(["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", RbConfig.ruby, "-e", "p trap('HUP', 'DEFAULT'), trap('HUP', 'DEFAULT')"], &:read) # => "\"IGNORE\"\n\"DEFAULT\"\n"
