# Calls with splats make no more Arrays and Hashes than the callee needs, and the callee's are never the caller's own.
def counts
  before, after = {}, {}
  ObjectSpace.count_objects(before)
  ObjectSpace.count_objects(after)
  ObjectSpace.count_objects(before)
  yield
  ObjectSpace.count_objects(after)
  [after[:T_ARRAY] - before[:T_ARRAY], after[:T_HASH] - before[:T_HASH]]
end

def two(a, b) = nil
def rest(*list) = nil
def keyword(a: nil) = nil
def keyword_rest(a: nil, **others) = nil
def anonymous(*, **) = nil
def passed_on(*, **) = anonymous(*, **)
array = [1]
hash = { a: 2 }
two_elements = [1, 2]
block = proc { }
empty = []
GC.start
GC.disable
counts { two(1, *array) }                     # => [0, 0]
counts { two(*two_elements, &block) }         # => [0, 0]
counts { rest(1, *array) }                    # => [1, 0]
counts { rest(*array, *array) }               # => [1, 0]
counts { rest(1, *array, **hash) }            # => [1, 1]
counts { rest(*nil) }                         # => [1, 0]
counts { keyword(*empty, **hash) }            # => [0, 0]
counts { keyword(*empty, a: 1) }              # => [0, 0]
counts { keyword(*nil) }                      # => [0, 0]
counts { keyword_rest(b: 1, **hash) }         # => [0, 1]
counts { passed_on(*array, **hash) }          # => [0, 0]
counts { passed_on }                      # => [0, 0]
GC.enable

# What the callee changes is its own.
def change(*list, **keywords)
  list << :more
  keywords[:more] = 1
  [list, keywords]
end
def delegate(*, **) = change(*, **)
delegate(*array, **hash)                      # => [[1, :more], {a: 2, more: 1}]
change(0, *array, **hash)                     # => [[0, 1, :more], {a: 2, more: 1}]
change(*array, *array)                        # => [[1, 1, :more], {more: 1}]
change(*array, b: 1)                          # => [[1, :more], {b: 1, more: 1}]
[0, 0].map { change(*array, b: 1)[1].size }   # => [2, 2]
[array, hash]                                 # => [[1], {a: 2}]

# Arguments around and before a splat reach their parameters.
def places(a, b = :b, *rest, y, z) = [a, b, rest, y, z]
places(1, *[2, 3])                            # => [1, :b, [], 2, 3]
places(1, 2, *[3, 4, 5, 6])                   # => [1, 2, [3, 4], 5, 6]
places(*[1, 2], *[3, 4, 5], 6)                # => [1, 2, [3, 4], 5, 6]
send(:places, 1, *[2, 3])                     # => [1, :b, [], 2, 3]
__send__(*[:places, 1], 2, *[3, 4])           # => [1, 2, [], 3, 4]
[1, 2].push(3, *[4] * 5000).size              # => 5003
class Missing
  def method_missing(name, *list, **keywords) = [name, list, keywords]
end
Missing.new.unknown(1, *[2, 3])               # => [:unknown, [1, 2, 3], {}]
Missing.new.unknown(1, *[2], k: 3)            # => [:unknown, [1, 2], {k: 3}]
two_of = proc { |a, (b, c), *d| [a, b, c, d] }
two_of.(1, *[[2, 3], 4])                      # => [1, 2, 3, [4]]
two_of.(*[], *[[1, [2]]])                     # => [1, 2, nil, []]
def yields(list) = yield(0, *list)
yields([1, 2]) { |a, b, c| [a, b, c] }        # => [0, 1, 2]
yields([1, 2]) { |*a| a }                     # => [0, 1, 2]

# An argument that changes the Array comes too late.
def keep(*list, **keywords) = [list, keywords]
list = [1]
keep(*list, k: (list << 2; 3))                # => [[1], {k: 3}]
keep(0, *list, &(list << 3; nil))             # => [[0, 1, 2], {}]

class Base
  def initialize(a, *rest, k: 0) = @all = [a, rest, k]
  attr_reader :all
end
class Derived < Base
  def initialize(first, *rest, k: 1) = super
end
class Anonymous < Base
  def initialize(*, **) = super
end
class Forwarding < Base
  def initialize(...) = super(1, ...)
end
Derived.new(1, 2, 3).all                      # => [1, [2, 3], 1]
Anonymous.new(*list, k: 5).all                # => [1, [2, 3], 5]
Forwarding.new(*list, k: 5).all               # => [1, [1, 2, 3], 5]
flagged = [1, Hash.ruby2_keywords_hash({ k: 2 })]
keep(*flagged)                                # => [[1], {k: 2}]
keep(0, *flagged)                             # => [[0, 1], {k: 2}]
Base.new(*flagged).all                        # => [1, [], 2]
flagged                                       # => [1, {k: 2}]
