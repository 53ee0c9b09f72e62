# While the call or the return of a native method is reported it has no frame: hooks see its caller first,
# as power_assert relies on.
seen = []
calls = TracePoint.new(:c_call, :c_return) do |event|
  next if event.path != __FILE__ || event.callee_id != :rindex
  seen << [event.event, caller_locations(1, 1).first.label, caller_locations.any? { |at| at.label.include?("rindex") }]
end
def ask = "abc".rindex("b")
calls.enable { ask }
seen # => [[:c_call, "Object#ask", false], [:c_return, "Object#ask", false]]
"abc".rindex(/./) { } # => 2
[1].map { |x| caller_locations(1, 1).first.label } # => ["Array#map"]

require "tmpdir"
File.write(file = File.join(Dir.tmpdir, "power_#{$$}.rb"), <<~'RUBY')
  require "power_assert"
  def told(&block) = PowerAssert.start(block, assertion_method: :told) { |context| context.yield; puts context.message }
  told { "abc".upcase.size == 4 }
RUBY
text = IO.popen([RbConfig.ruby, file], &:read)
File.delete(file)
text.lines.map(&:strip) # => ["told { \"abc\".upcase.size == 4 }", "|      |    |", "|      |    false", "|      3", "\"ABC\""]

# Methods of the runtime that are written in Ruby have no code that a trace point could be about.
TracePoint.new(:call) { }.enable(target: [].method(:map)) { } # raises ArgumentError: specified target is not supported
TracePoint.new(:call) { }.enable(target: "".method(:upcase)) { } # raises ArgumentError: specified target is not supported
