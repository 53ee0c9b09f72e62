# Evals that define variables one by one in one binding: there may be any number of them, as in CRuby.
b = binding
400.times { |i| b.eval("v#{i} = #{i}") }
b.eval("[v0, v1, v143, v144, v145, v399]") # => [0, 1, 143, 144, 145, 399]
b.local_variables.grep(/\Av\d/).size # => 400

# Blocks and lambdas made in them see and set the far ones, and those that come later see what they set.
add = b.eval("->(n) { v0 += n; v399 += v0; v0 }")
[add.call(5), add.call(6)] # => [5, 11]
b.eval("[v0, v399]") # => [11, 415]
b.eval("v0 = :new; [v0].map { |x| [x, v0, [1].map { v1 }] }") # => [[:new, :new, [1]]]
b.local_variable_set(:v2, 7)
b.eval("v2 + 1") # => 8
b.eval("v3, (v4, *v5) = 1, [2, 3, 4]; v6 ||= 9; v7 &&= 10; v8 += 1; [v3, v4, v5, v6, v7, v8]") # => [1, 2, [3, 4], 6, 10, 9]
b.eval("for v9 in [1, 2] do end; v9") # => 2
b.eval("/(?<v10>b+)/ =~ 'abbc'; v10") # => "bb"
b.eval("case { k: 3 }; in { k: v11 } then v11; end; v11") # => 3
b.eval("defined?(v12)") # => "local-variable"
b.eval("begin; raise 'x'; rescue => v13; end; v13.message") # => "x"

# The same by local_variable_set.
def empty = binding
c = empty
600.times { |i| c.local_variable_set(:"x#{i}", i) }
c.eval("x0 + x599") # => 599
c.eval("x0 = 1; x599 = 2; -> { [x0, x599] }").call # => [1, 2]

# Arguments of the method around, from far away.
class Parent
  def take(a, b = 2, *rest, k: 3, **more, &block) = [a, b, rest, k, more, block&.call]
end

class Child < Parent
  def take(a, b = 5, *rest, k: 4, **more, &block)
    here = binding
    300.times { |i| here.eval("y#{i} = #{i}") }
    here.eval("super")
  end
end
Child.new.take(1) # => [1, 5, [], 4, {}, nil]
Child.new.take(1, 2, 3, k: 6, z: 7) { 8 } # => [1, 2, [3], 6, {z: 7}, 8]

# A ractor takes no variables from far outside, either.
$VERBOSE = nil
b.eval("Ractor.new { v1 }") # raises Ractor::IsolationError: can not isolate a Proc because it accesses outer variables (v1).
