t = Thread.current
t[:a] = 1
t[:a] # => 1
t.key?(:a) # => true
t.keys.include?(:a) # => true
t["a"] # => 1
t.fetch(:a) # => 1
t.fetch(:zz, 0) # => 0
t.fetch(:zz) # raises KeyError: key not found: :zz
Thread.new { Thread.current[:a] }.value # => nil
t.thread_variable_set(:v, 2)
t.thread_variable_get(:v) # => 2
t.thread_variable?(:v) # => true
t.thread_variables # => [:v]
t.name = "main one"
t.name # => "main one"
Thread.new { }.tap(&:join).name # => nil
t.inspect =~ /#<Thread:0x\h+@main one .*run>/ # => 0
t.priority # => 0
t.priority = 1
t.priority # => 1
t.group.class # => ThreadGroup
t.native_thread_id.class # => Integer
