# What deconstruct_keys is told is an Array of its own, each time.
class Changing
  def deconstruct_keys(keys)
    keys << :more
    @seen = keys
    {a: 1}
  end

  attr_reader :seen
end

object = Changing.new
2.times { object => {a:} }
object.seen # => [:a, :more]
