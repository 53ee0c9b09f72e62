# What extensions find in the headers.
require_relative "fixtures/build"
load_c("headers", "-I#{__dir__}/fixtures", '-DRUBY_EXTCONF_H="extconf_found.h"')
Headers.found # => [12, :headers]
Headers.sequence # => Enumerator::ArithmeticSequence
Headers.number("0.25") # => 0.25
Headers.number("-1e3 and more") # => -1000.0
Headers.pattern(/a.b/mi) # => ["a.b", "a.b", 5]
Headers.keywords({ a: 1, "b" => 2 }) # => [{a: 1}, {"b" => 2}]
Headers.keywords({ a: 1 }) # => [{a: 1}, nil]
Headers.keywords({ 1 => 2 }) # => [nil, {1 => 2}]
Headers.keywords({}) # => [{}, nil]
Headers.at(5, -1) # => (4999999/1000000)
Headers.at(2**63 - 1, 1_000_000) # raises RangeError: out of Time range
Headers.at(-2**63, -1) # raises RangeError: out of Time range

Headers.character("Äb") # => [2, 196, "Ä", 0, true, false]
Headers.character("a".encode("EUC-JP")) # => [1, 97, "a", 0, false, false]
Headers.character("b".b) # => [1, 98, "b", 0, false, true]
Headers.character("\xC3") # => -1
Headers.character("\xFF") # => nil
Headers.numbers # => [-200, -403, 262144, 6, 16416, 4, 2048, true, true]
class Base
  @@found = 5
end
module Outer; end
lesser = Headers.lesser(Class.new(Base), Outer)
lesser[0, 2] # => [/a b/x, "Outer::Named"]
[$?, $?.pid, $?.exitstatus] == [lesser[2], 77, 3] # => true
lesser[3..] # => [5, Base, true, 2, 16, #<Encoding:Windows-31J>, nil]

load_c("methods", language: "cc")
Methods.two # => 2
Methods.add(1, 2) # => 3
Methods.count(1, 2, 3) # => 3
Methods.counted(1, 2) # => 2
Methods.list(1, 2) # => [1, 2]
Methods.old # => 1.5
Methods.private_instance_methods(false).sort # => [:counted, :hidden]
methods_two # => 2
[Methods.passed, Methods.passed_by_name(3, 4), Methods.passed_single(1, 2), methods_passed] # => [1.5, 7, [1, 2], 1.5]
Methods.written_here(4) # => 5
[Methods::PROTECTED, Methods::STATE] # => [nil, 6]
$methods_any = 3
[$methods_any, $methods_half, $methods_read, $methods_exact, $methods_hooked] # => [3, 3, 3, 3, 3]
$methods_half = 4
$methods_hooked # => 4
$methods_read = 5 # raises NameError: $methods_read is a read-only variable
holder = Object.new
holder.instance_variable_set(:@name, 1)
any_functions(holder) # => [12, 12, [:@name], [1, KeyError], 5, [1, 7]]

# C++ finds them between the braces of extern "C", too.
load_c("wrapped", language: "cc")
Wrapped.sum([1, 2, 3]) # => 6
