require "json"
# A to_json in front of the library's own, which goes on to it.
module InFront
  def to_json(state = nil, *)
    state.is_a?(JSON::State) ? super : "front"
  end
end
Object.prepend(InFront)
JSON.generate([Rational(1, 3), 1]) # => "[\"1/3\",1]"
Rational(1, 2).to_json # => "front"
JSON.generate(:sym) # => "\"sym\""
