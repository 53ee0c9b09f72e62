# The `raise` event comes from where `raise` was called: the method has returned and hooks do not see its frame,
# as the debugger's `catch` relies on.
seen = []
raises = TracePoint.new(:raise) do |event|
  seen << [event.method_id, caller_locations(1, 1).first.label, binding.of_hook]
end
class Binding
  def of_hook = caller_locations.map(&:label).grep(/raise|fail|block/)
end
def by_raise = raise("first")
def by_fail = fail("second")
def by_block = [1].each { |x| raise("third") }
raises.enable do
  by_raise rescue 0
  by_fail rescue 0
  by_block rescue 0
end
seen.map { |method, label, _| [method, label] } # => [[:by_raise, "Object#by_raise"], [:by_fail, "Object#by_fail"], [:by_block, "block in Object#by_block"]]
seen.map { |*, labels| labels.include?("Kernel#raise") || labels.include?("Kernel#fail") } # => [false, false, false]

# What the hook raises takes its place, and its own backtrace has no such frame, either.
instead = TracePoint.new(:raise) { |event| instead.disable; raise ArgumentError, "instead" }
error = begin
  instead.enable
  by_raise
rescue => raised
  raised
end
error # => #<ArgumentError: instead>
error.backtrace_locations.map(&:label) # => ["block in <main>", "Object#by_raise", "<main>"]
