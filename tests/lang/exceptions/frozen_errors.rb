"a".freeze << "b" # raises FrozenError: can't modify frozen String: "a"
[1].freeze << 2 # raises FrozenError: can't modify frozen Array: [1]
{ a: 1 }.freeze[:b] = 1 # raises FrozenError: can't modify frozen Hash: {a: 1}
class K; def set = @a = 1; end
k = K.new.freeze
k.set # raises FrozenError: can't modify frozen K: #<K:0xXX>
def k.x = 1 # raises FrozenError: can't modify frozen K: #<K:0xXX>
CONST = %w[a].freeze
CONST.map!(&:upcase) # raises FrozenError: can't modify frozen Array: ["a"]
:sym.instance_variable_set(:@a, 1) # raises FrozenError: can't modify frozen Symbol: :sym
1.instance_variable_set(:@a, 1) # raises FrozenError: can't modify frozen Integer: 1
