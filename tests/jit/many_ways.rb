# `case` of many ways that are gone one after the other, long after the code was compiled,
# and what is called there for the first time.

require_relative "fixtures/turns"

class Machine
  attr_reader :total

  def initialize = @total = 0

  def add(amount) = @total += amount
  def take(amount) = @total -= amount
  def name(operand) = operand.to_s

  def run(code, operand)
    case code
    when 0 then add(operand)
    when 1 then take(operand)
    when 2 then name(operand)
    when 3 then [operand, operand]
    when 4 then operand.size
    when 5 then { operand => code }
    when :six then operand.inspect
    when :seven then operand.succ
    when nil then operand.hash == operand.hash
    when "eight" then operand.class
    when "nine" then operand.itself.then { |value| [value, code] }
    else :none
    end
  end
end

codes = [0, 1, 2, 3, 4, 5, :six, :seven, nil, "eight", "nine", 2.5, :unknown]
machine = Machine.new
seen = codes.map { |code| turns(400) { machine.run(code, 7) } }
seen # => [2800, 0, "7", [7, 7], 8, {7 => 5}, "7", 8, true, Integer, [7, "nine"], :none, :none]
# The same in another order, and mixed.
turns { codes.reverse.map { |code| machine.run(code, 3) } } # => [:none, :none, [3, "nine"], Integer, true, 4, "3", {3 => 5}, 8, [3, 3], "3", -3, 0]
turns(4000) { |i| machine.run(codes[i * 7 % 13], "word") rescue $!.class } # => 4
