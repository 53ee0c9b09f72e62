# Patterns compile at any depth that the engine allows, on every kind of stack; beyond it there is a RegexpError.
def outcome(source)
  Regexp.new(source)
  :compiled
rescue RegexpError => error
  error.message[/\A[a-z ]+/]
end

nest = ->(open, depth, close) { open * depth + "a" + close * depth }
sources = [["(?:", ")"], ["(", ")"], ["(?:a|", ")"], ["[a", "]"], ["(?=", ")"], ["(?!", ")"], ["(?>", ")"],
           ["(?i-m:", ")"], ["(?:", ")*"]]
compile = lambda do
  deep = sources.map { |open, close| outcome(nest.call(open, 1500, close)) }.tally
  deeper = sources.map { |open, close| outcome(nest.call(open, 20_000, close)) }.tally
  calls = outcome((1..3000).map { |i| "(?<n#{i}>a\\g<n#{i + 1}>?)" }.join + "(?<n3001>b)")
  others = ["a" + "{2,3}" * 2000, "a" + "?" * 3000, "(?i)(?m)" * 1000, "a|" * 50_000].map { |source| outcome(source) }
    .tally
  [deep, deeper, calls, others]
end
expected = [{ compiled: 9 }, { "parse depth limit over" => 9 }, :compiled, { compiled: 4 }]
compile.call == expected # => true
Thread.new(&compile).value == expected # => true
Fiber.new(&compile).resume == expected # => true
Enumerator.new { |y| y << compile.call }.next == expected # => true

# A search that looks for text which must occur reads such patterns too.
text = "b" * 200
Fiber.new { text =~ Regexp.new("\\d" + nest.call("(", 2000, ")")) }.resume # => nil
Fiber.new { ("1" + text + "2a") =~ Regexp.new("\\d" + nest.call("(", 2000, ")")) }.resume # => 201
