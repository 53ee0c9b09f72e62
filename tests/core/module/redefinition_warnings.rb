# flags: -w
# What -w says of methods that are lost, and what is said in any case.
$said = []
def Warning.warn(text, category: nil) = $said.concat(text.scan(/warning: (.*)/).flatten)
said = -> { $said.tap { $said = [] } }
class Lost
  def one; end
  def one; end
  attr_reader :two
  def two; end
  define_method(:three) {}
  def three; end
  def self.four; end
  def self.four; end
end
said.call # => ["method redefined; discarding old one", "previous definition of one was here", "method redefined; discarding old two", "method redefined; discarding old three", "previous definition of three was here", "method redefined; discarding old four", "previous definition of four was here"]
class Kept
  def one; end
  alias other one
  def one; end
  def two; end
  undef two
  def two; end
  alias one one
  def one; end
end
class Sub < Kept
  def one; end
  private :two
  def two; end
end
said.call # => []
class Kept
  def object_id = 1
  def self.hide = private
end
Kept.hide
Module.new { private_constant }
said.call # => ["redefining 'object_id' may cause serious problems", "calling private without arguments inside a method may not have the intended effect", "private_constant with no argument is just ignored"]
# Not of the VM's own code, whoever made it run.
def load_inside_a_method = require("io/console")
load_inside_a_method

module Kernel; def pp(*) = nil end
said.call # => []
