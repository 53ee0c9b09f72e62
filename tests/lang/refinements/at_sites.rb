# Call sites where refinements are active remember what names lead to that no refinement has,
# and hear of it when one gets them.
class Word
  def initialize(text) = @text = text
  def size = @text.size
  def shout = @text.upcase
  def whisper = @text.downcase
  def respond = respond_to?(:later)
end
class Loud < Word
  def size = super + 1
end

module Refined
  refine Word do
    def shout = "refined #{super}"
  end
end

def before(word) = [word.size, word.shout, word.whisper]
words = [Word.new("Ab"), Loud.new("Cde")]
5.times.map { words.map { before(it) } }.uniq # => [[[2, "AB", "ab"], [4, "CDE", "cde"]]]

using Refined

def inside(word) = [word.size, word.shout, word.whisper]
def sent(word) = [word.send(:size), word.public_send(:whisper), word.send(:shout)]
5.times.map { words.map { inside(it) } }.uniq # => [[[2, "refined AB", "ab"], [4, "refined CDE", "cde"]]]
5.times.map { words.map { before(it) } }.uniq # => [[[2, "AB", "ab"], [4, "CDE", "cde"]]]
5.times.map { words.map { sent(it) } }.uniq # => [[[2, "ab", "refined AB"], [4, "cde", "refined CDE"]]]
words.map(&:shout) # => ["refined AB", "refined CDE"]

# A refinement that is active gets another method.
module Refined
  refine Word do
    def whisper = "refined #{super}"
    def later = 1
  end
end
5.times.map { words.map { inside(it) } }.uniq # => [[[2, "refined AB", "refined ab"], [4, "refined CDE", "refined cde"]]]
5.times.map { words.map { before(it) } }.uniq # => [[[2, "AB", "ab"], [4, "CDE", "cde"]]]
5.times.map { words.map { sent(it) } }.uniq # => [[[2, "refined ab", "refined AB"], [4, "refined cde", "refined CDE"]]]
words.map(&:respond) # => [false, false]
words.map { it.later } # => [1, 1]

# The class gets other methods.
class Word
  def size = 10
  def shout = "new"
end
5.times.map { words.map { inside(it) } }.uniq # => [[[10, "refined new", "refined ab"], [11, "refined new", "refined cde"]]]

# Operators.
module Sums
  refine Integer do
    def +(other) = "#{self} and #{other}"
  end
end
def sum(a, b) = a + b
5.times.map { sum(1, 2) }.uniq # => [3]
using Sums
def refined_sum(a, b) = a + b
5.times.map { refined_sum(1, 2) }.uniq # => ["1 and 2"]
5.times.map { sum(1, 2) }.uniq # => [3]
refined_sum(1.5, 2) # => 3.5
