# Raises and rescues through frames, with ensure, retry, and throw.
class Failure < StandardError
  def initialize(code)
    @code = code
    super("failure #{code}")
  end

  attr_reader :code
end

def fail_at(depth, code)
  raise Failure, code if depth == 0
  fail_at(depth - 1, code)
ensure
  $ensured += 1
end

$ensured = 0
sum = 0
200_000.times do |i|
  begin
    fail_at(5, i)
  rescue ArgumentError, TypeError
    sum -= 1
  rescue Failure => failure
    sum += failure.code
  else
    sum -= 1
  ensure
    sum += 1
  end
end
180_000.times do |i|
  tries = 0
  begin
    tries += 1
    Integer(tries < 2 ? "x" : "12")
  rescue ArgumentError
    retry
  end
  sum += tries
  sum += catch(:done) { [1, 2, 3].each { |x| throw :done, x if x == 2 } }
  sum += (raise "a" rescue 3)
end
puts sum, $ensured
