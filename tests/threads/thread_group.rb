g = ThreadGroup.new
t = Thread.new { sleep }
g.add(t).equal?(g) # => true
g.list == [t] # => true
t.group == g # => true
Thread.new { Thread.current.group == ThreadGroup::Default }.value # => true
g.enclose.enclosed? # => true
ThreadGroup::Default.add(t) # raises ThreadError: can't move from the enclosed thread group
t.kill.join
t.group # => #<ThreadGroup:0xXX>
g.list # => []
