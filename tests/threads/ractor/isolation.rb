# What a ractor may not see of the others.
# needs: 4.0
Warning[:experimental] = false
Thread.report_on_exception = false

def refused(&block)
  Ractor.new(&block).value
rescue Ractor::RemoteError => e
  [e.cause.class, e.cause.message]
end

outer = 1
Ractor.new { outer } # raises Ractor::IsolationError: can not isolate a Proc because it accesses outer variables (outer).
def yielding = Ractor.new { yield }
yielding {} # raises Ractor::IsolationError: can not isolate a Proc because it uses 'yield'.
Ractor.new # raises ArgumentError: must be called with a block
Ractor.allocate # raises TypeError: allocator undefined for Ractor

class Holder
  TEXT = +"text"
  NUMBERS = [1, 2].freeze
  @list = []
  @number = 1
  @@shared = []
  class << self
    attr_accessor :list, :number
    def shared = @@shared
    def shared=(value)
      @@shared = value
    end
  end
end
$global = 1

Holder::TEXT # => "text"
refused { Holder::TEXT } # => [Ractor::IsolationError, "can not access non-shareable objects in constant Holder::TEXT by non-main Ractor."]
refused { Holder::NUMBERS } # => [1, 2]
refused { Holder.const_set(:OTHER, []) } # => [Ractor::IsolationError, "can not set constants with non-shareable objects by non-main Ractors"]
refused { Holder.list } # => [Ractor::IsolationError, "can not get unshareable values from instance variables of classes/modules from non-main Ractors (@list from Holder)"]
refused { Holder.number } # => 1
refused { Holder.number = 2 } # => [Ractor::IsolationError, "can not set instance variables of classes/modules by non-main Ractors"]
refused { Holder.shared } # => [Ractor::IsolationError, "can not read non-shareable class variable @@shared from non-main Ractors (Holder)"]
refused { Holder.shared = 1 } # => [Ractor::IsolationError, "can not set class variables from non-main Ractors (@@shared from Holder)"]
refused { $global } # => [Ractor::IsolationError, "can not access global variable $global from non-main Ractor"]
refused { $global = 2 } # => [Ractor::IsolationError, "can not access global variable $global from non-main Ractor"]
refused { fork {} } # => [Ractor::IsolationError, "can not fork from non-main Ractors"]
refused { at_exit {} } # => [Ractor::IsolationError, "can not call at_exit from non-main Ractors"]
refused { eval("outer") }.first # => SyntaxError
refused { inner = 1; eval("inner") } # => 1
refused { exit 3 } # => [SystemExit, "exit"]
refused { require "set"; :loaded } # => :loaded
refused { Thread.new { raise "inside" }.join } # => [RuntimeError, "inside"]
Holder.list # => []

define_method(:captured) { outer }
refused { captured } # => [RuntimeError, "defined with an un-shareable Proc in a different Ractor"]

Ractor.new { [$stdout.fileno, $stdout.inspect] }.value # => [1, "#<IO:<STDOUT>>"]
Ractor.new { Thread.list.size }.value # => 1
Ractor.new { Thread.main.equal?(Thread.current) }.value # => true
Ractor.new { Thread.current.group.object_id }.value == ThreadGroup::Default.object_id # => false
Fiber[:key] = 1
Ractor.new { Fiber[:key] }.value # => nil

# Ractor-local storage.
Ractor[:name] = "main"
Ractor.new { Ractor[:name] ||= "own" }.value # => "own"
Ractor[:name] # => "main"
Ractor.store_if_absent(:made) { 5 } # => 5
Ractor.store_if_absent(:made) { 6 } # => 5
Ractor.new { Ractor.main[:name] }.value rescue $!.cause.message # => "Cannot get ractor local storage for non-current ractor"

# Only one ractor gets the value.
given = Ractor.new { "value" }
given.value # => "value"
refused_second = Ractor.new(given) { |other| other.value rescue $!.message }
refused_second.value # => "Only the successor ractor can take a value"
Ractor.count # => 1

# What the libraries keep for themselves is no obstacle.
require "json"
require "timeout"
Ractor.new { JSON.pretty_generate([1]) }.value # => "[\n  1\n]"
Ractor.new { (1..).lazy.map { it * 2 }.first(2) }.value # => [2, 4]
Ractor.new { Timeout.timeout(5) { 1 } }.value # => 1
Ractor.new { ENV.key?("PATH") }.value # => true
