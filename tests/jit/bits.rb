# Bits of numbers, and elements of what else answers to `[]`, at the same place.

require_relative "fixtures/turns"

def at(object, index) = object[index]
def bits(number, indices) = indices.map { |index| number[index] }

INDICES = [0, 1, 2, 61, 62, 63, 64, 1000, -1, -64]
turns { bits(5, INDICES) } # => [1, 0, 1, 0, 0, 0, 0, 0, 0, 0]
turns { bits(-2, INDICES) } # => [0, 1, 1, 1, 1, 1, 1, 1, 0, 0]
turns { bits(2**62 - 1, INDICES) } # => [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
turns { bits(-2**62, INDICES) } # => [0, 0, 0, 0, 1, 1, 1, 1, 0, 0]
turns { bits(2**62, INDICES) } # => [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
turns { bits(-1 << 70, INDICES) } # => [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
turns { [at(6, 2**70), at(-6, 2**70), at(6, -2**70), at(6, 1.9)] } # => [0, 1, 0, 1]
turns { [at(6, 1..2), at([7, 8, 9], 1), at({ 1 => :one }, 1), at("text", 1), at(:text, 1), at([7], -1), at([7], 5)] } # => [3, 8, :one, "e", "e", 7, nil]
turns { at(6, nil) } # raises TypeError: no implicit conversion of nil into Integer
turns { at(1.5, 0) } # raises NoMethodError: undefined method '[]' for an instance of Float
turns { |i| at(i.even? ? 4 : 0.5, 2) rescue $!.class } # => NoMethodError

class Integer
  alias bit []
  def [](index) = [:mine, bit(index)]
end
turns { at(5, 0) } # => [:mine, 1]
