# flags: -W0
# timeout: 120
# Source compiles on a stack that is large enough, however little the caller has left, or is refused.
wraps = {
  "(" => ")", "[" => "]", "{a: " => "}", "if 1;" => ";end", "[1].map { |x| " => "}", "def a;" => ";end",
  "class A;" => ";end", "->{" => "}", '"#{' => '}"', "begin;" => ";rescue;end", "def a(b=" => ");end", "!" => "",
  "-" => "", "x = " => "", "1 + " => "", "1 ? 1 : " => "",
}
try = lambda do
  [10, 1000, 10_000].product(wraps.to_a).map do |depth, (open, close)|
    RubyVM::InstructionSequence.compile(open * depth + "1" + close * depth)
    :done
  rescue SyntaxError
    :refused
  end.uniq - %i[done refused]
end
try.call # => []
Thread.new(&try).value # => []
Fiber.new(&try).resume # => []
Enumerator.new { |y| y << try.call }.next # => []

# At each level of a recursion through native code until the stack has ended.
sources = ["(" * 40 + "1" + ")" * 40, "[1].map { |x| " * 12 + "1" + "}" * 12, "-> { " * 15 + "1" + "}" * 15,
           "def deep_one; begin; [1].each { |x| \"\#{x}\" }; rescue; 3; end; end"]
edge = lambda do |source|
  down = -> { eval(source); "a".gsub(/a/) { down.call; "" } }
  down.call
rescue SystemStackError => error
  error.message
end
sources.map { |source| Fiber.new { edge.call(source) }.resume }.uniq # => ["stack level too deep"]
sources.map { |source| Thread.new { edge.call(source) }.value }.uniq # => ["stack level too deep"]
patterns = ["(a(b[c](d)*)+)" * 2, "(?:" * 15 + "a" + ")" * 15, "[a" * 12 + "]" * 12, "a" + "{1,2}" * 14]
count = 0
edge = lambda do |pattern|
  down = -> { Regexp.new("#{pattern}#{count += 1}"); "a".gsub(/a/) { down.call; "" } }
  down.call
rescue SystemStackError => error
  error.message
end
patterns.map { |pattern| Fiber.new { edge.call(pattern) }.resume }.uniq # => ["stack level too deep"]
