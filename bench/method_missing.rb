# Calls that end in method_missing, respond_to?, send and define_method.
class Ghost
  def initialize
    @seen = 0
  end

  attr_reader :seen

  def method_missing(name, *args)
    if name.end_with?("!")
      super
    else
      @seen += args.size
      args.first
    end
  end

  def respond_to_missing?(name, _include_all = false)
    name.start_with?("get")
  end

  define_method(:defined) { |x, y = 2| x + y }
end

ghost = Ghost.new
sum = 0
700_000.times do |i|
  sum += ghost.anything(i, i)
  sum += ghost.other(1)
  sum += 1 if ghost.respond_to?(:getter)
  sum += ghost.defined(i) + ghost.__send__(:defined, 1, 1)
end
60_000.times do
  ghost.wrong!
rescue NoMethodError => error
  sum += error.name.size
end
puts sum, ghost.seen
