# Objects that have survived collections are not looked at by minor ones:
# what is stored into them afterwards lives all the same.
class Node
  attr_accessor :value, :other
  def self.with(value) = new.tap { |node| node.value = value }
  def many(list) = list.each_with_index { |value, i| instance_variable_set(:"@v#{i}", value) }
end
Pair = Struct.new(:left, :right)

def minor(count = 4) = count.times { GC.start(full_mark: false) }

# Values that nothing else refers to, unlike each other.
def fresh(i) = ["text #{i}", [i]]

node, list, table, pair, names = Node.new, [nil] * 8, {}, Pair.new, "a string with variables"
captured = nil
setter, getter = ->(value) { captured = value }, -> { captured }
error, holder, mixed = RuntimeError.new("old"), Class.new, {}.compare_by_identity
binding = proc { later = nil; binding() }.call
many = Node.new
3.times { GC.start }

stores = 300.times.map do |i|
  node.value = fresh(i)
  node.other = Node.with(fresh(i + 1))
  list[i % 8] = fresh(i)
  list << fresh(i) if i % 10 == 0
  table[i % 16] = fresh(i)
  table[fresh(i)] = i if i % 10 == 1
  table.default = fresh(i)
  pair.left = fresh(i)
  names.instance_variable_set(:@value, fresh(i))
  setter.call(fresh(i))
  holder.const_set(:VALUE, fresh(i)) unless holder.const_defined?(:VALUE)
  holder.instance_variable_set(:@value, fresh(i))
  mixed[:key] = fresh(i)
  binding.local_variable_set(:later, fresh(i))
  many.many((i % 12).times.map { |at| fresh(at) })
  minor(1) if i % 30 == 29
  200.times { |n| fresh(n) } unless ENV["RUBELLITE_STRESS"]
  [node.value, node.other.value, list[i % 8], table[i % 16], table.default, pair.left,
   names.instance_variable_get(:@value), getter.call,
   holder.instance_variable_get(:@value), mixed[:key],
   binding.local_variable_get(:later)].map { |text, (n)| [text, n] }.uniq
end
minor
stores.each_with_index.all? { |seen, i| seen == [["text #{i}", i], ["text #{i + 1}", i + 1]] } # => true
list.size # => 38
list.compact.all? { |text, (n)| text == "text #{n}" } # => true
table.size # => 46
table.keys.grep(Array).all? { |text, (n)| table[["text #{n}", [n]]] == n } # => true
(0...11).all? { |at| many.instance_variable_get(:"@v#{at}") == fresh(at) } # => true
holder::VALUE # => ["text 0", [0]]

# Whole contents are replaced.
list.replace(Array.new(20) { |i| fresh(i) })
table.replace(Array.new(20) { |i| [fresh(i), fresh(i)] }.to_h)
minor
list == Array.new(20) { |i| fresh(i) } # => true
table.all? { |key, value| key == value } # => true
list.map! { |text, _| fresh(text.size) }
list.sort_by! { |text, _| text }
list.fill(10, 5) { |i| fresh(i) }
list.concat(Array.new(5) { |i| fresh(i) })
list.insert(3, fresh(1))
list.unshift(fresh(2))
list[5, 0] = [fresh(3), fresh(4)]
minor
list.all? { |text, (n)| text == "text #{n}" } # => true

# An exception that is raised again and again gets a cause and a backtrace.
20.times do |i|
  begin
    begin
      raise "cause #{i}"
    rescue => cause
      error = error.exception("again #{i}")
      raise error
    end
  rescue => again
    minor(1)
    again.backtrace.size > 0 or raise "no backtrace"
  end
end
error.message # => "again 19"
error.cause.message # => "cause 0"

# A chain that grows at an old end.
first = last = Node.new
minor
2000.times do |i|
  last.other = Node.with(i.to_s)
  last = last.other
  minor(1) if i % 200 == 0
end
length, at = 0, first
length += 1 while (at = at.other) && at.value == length.to_s
length # => 2000
