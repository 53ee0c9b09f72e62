# The Ruby parts of native methods do not show in backtraces, the native methods themselves do.
# needs: 4.0
def labels
  yield
rescue RuntimeError => e
  e.backtrace_locations.map(&:label).take_while { |label| label != "Object#labels" }
end

labels { Array.new(3) { raise } } # => ["block (2 levels) in <main>", "Array#initialize", "block in <main>"]
labels { [1, 2].fill { raise } }  # => ["block (2 levels) in <main>", "Array#fill", "block in <main>"]

# Ruby's own names between underlines are no helpers.
require "delegate"
begin
  Class.new(Delegator).allocate.method(:__getobj__).call
rescue NotImplementedError => e
  e.backtrace_locations.map(&:label) # => ["Delegator#__getobj__", "Method#call", "<main>"]
end
