# Methods that are other names of another: their original name is that one's, and backtraces call them by it.
[].method(:append).original_name # => :push
[].method(:append).inspect # => "#<Method: Array#append(push)(*)>"
Integer.instance_method(:inspect).original_name # => :to_s
1.5.method(:magnitude).original_name # => :abs
:a.method(:id2name).original_name # => :to_s
true.method(:inspect).original_name # => :to_s
Time.method(:mktime).original_name # => :local
Struct.instance_method(:to_s).original_name # => :inspect
list = []
list.method(:append) == list.method(:push) # => true
[1].append(2).prepend(0) # => [0, 1, 2]
[1, 2.5, :a, nil, true, false].map(&:inspect) # => ["1", "2.5", ":a", "nil", "true", "false"]
where = begin
  [].freeze.append(1)
rescue FrozenError => e
  e.backtrace[0][/'.*'/]
end
where # => "'Array#push'"
class Array
  alias_method :push_before, :push
  def push(*) = :mine
end
[].append(1) # => [1]
[].push(1) # => :mine
