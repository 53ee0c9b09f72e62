Rubellite::Lock.slice # => 0.005
Rubellite::Lock.slice = 0.002
Rubellite::Lock.slice # => 0.002
Rubellite::Lock.slice(Thread.main) # => 0.002
Rubellite::Lock.set_thread_slice(Thread.main, 0.01)
Rubellite::Lock.slice(Thread.main) # => 0.01
Rubellite::Lock.slice # => 0.002
Thread.main.priority = 1
Rubellite::Lock.slice(Thread.main) # => 0.02
Thread.main.priority = 0
Rubellite::Lock.set_thread_slice(Thread.main, nil)
Rubellite::Lock.slice(Thread.main) # => 0.002
Rubellite::Lock.slice = 1r / 100
Rubellite::Lock.slice # => 0.01
Rubellite::Lock.slice = 0 # raises ArgumentError: slice must be positive
Rubellite::Lock.slice = -1 # raises ArgumentError: time interval must not be negative
Rubellite::Lock.slice = "1" # raises TypeError: can't convert String into time interval
Rubellite::Lock.set_thread_slice(nil, 1) # raises TypeError: wrong argument type nil (expected VM/thread)
