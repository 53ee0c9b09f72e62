# Splats through method_missing and send: keywords, blocks, flagged hashes and long lists arrive as without them.
class Missing
  def method_missing(name, *args, **options, &block) = [name, args, options, block&.call]
  def respond_to_missing?(*) = true
end
class One
  def method_missing(name, arg) = [name, arg]
  def respond_to_missing?(*) = true
end
class Named
  def one(a) = a
  def rest(*a) = a
  def optional(a, b = 2, *c) = [a, b, c]
  def keyword(*a, k: 1) = [a, k]
  private def hidden(*a) = a
end
LONG = (1..5000).to_a
Missing.new.x(*[]) # => [:x, [], {}, nil]
Missing.new.x(*[1, 2], 3) # => [:x, [1, 2, 3], {}, nil]
Missing.new.x(*[1], k: 2) { 5 } # => [:x, [1], {k: 2}, 5]
Missing.new.x(*LONG)[1] == LONG # => true
One.new.y(*[7]) # => [:y, 7]
One.new.y(*[7, 8]) # raises ArgumentError: wrong number of arguments (given 3, expected 2)
Named.new.send(:one, *[1]) # => 1
Named.new.send(:rest, *LONG) == LONG # => true
Named.new.send(*[:rest, 1, 2]) # => [1, 2]
Named.new.send(*[:optional, 1, 3, 4]) # => [1, 3, [4]]
Named.new.send(*[:keyword, 1], k: 3) # => [[1], 3]
Named.new.send(:hidden, *[3]) # => [3]
Named.new.send(*[]) # raises ArgumentError: no method name given
Named.new.send(:one, *[1, 2]) # raises ArgumentError: wrong number of arguments (given 2, expected 1)
ruby2_keywords def hand_on(*args) = Named.new.send(:keyword, *args)
hand_on(1, k: 2) # => [[1], 2]
def keep(*args) = Named.new.send(:rest, *args.map { |x| "s#{x}" })
keep(*1..50).last # => "s50"
