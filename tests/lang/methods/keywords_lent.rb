# `**hash` is read where it lies; what the callee gets is its own

def rest(**options) = options
def one(a: 1, **options) = [a, options]
def list(hash) = hash
class Options < Hash; end
options = { a: 1 }.compare_by_identity
rest(**options).compare_by_identity? # => true
one(**options) # => [1, {}]
options = Hash.new(5)
options[:b] = 2
rest(**options).default # => 5
rest(**options).equal?(options) # => false
list(**options).equal?(options) # => false
rest(**options)[:c] = 1
list(**options)[:c] = 1
options # => {b: 2}
rest(**Options[q: 1]).class # => Options
list(**Options[q: 1]).class # => Options
rest(**{ a: 1 }.freeze).frozen? # => false
one(**{ "s" => 1, a: 5 }) # => [5, {"s" => 1}]
def needs(a:) = a
needs(**{ a: 1, b: 2 }) # raises ArgumentError: unknown keyword: :b
needs(**options) # raises ArgumentError: missing keyword: :a
def both(*list, **options) = [list, options]
both(**{}) # => [[], {}]
both(*[1], **options) # => [[1], {b: 2}]
both(*[{ a: 1 }]) # => [[{a: 1}], {}]
block = proc { |first, **others| [first, others] }
block.call([1, 2], **options) # => [[1, 2], {b: 2}]
block.call(**options) # => [nil, {b: 2}]
taken = ->(**others) { others[:z] = 1 }
taken.(**options)
options # => {b: 2}
def passed(*list) = list
singleton_class.send(:ruby2_keywords, :passed)
# stderr: Skipping set of ruby2_keywords flag for passed (can only set in method defining module)
