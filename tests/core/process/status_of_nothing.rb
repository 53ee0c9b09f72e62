# A Process::Status of no process
status = Process::Status.allocate
status.inspect # => "#<Process::Status: uninitialized>"
status.to_s # => "pid 0 exit 0"
status.pid # => 0
status.to_i # => 0
status.success? # => true
status == 0 # => true
status.dup.inspect # => "#<Process::Status: uninitialized>"
Class.new(Process::Status).allocate.inspect.sub(/0x\h+/, "0x") # => "#<#<Class:0x>: uninitialized>"
Process::Status.new # raises NoMethodError: undefined method 'new' for class Process::Status
