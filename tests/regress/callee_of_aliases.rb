# `__callee__` is the name by which a method was called, whoever called it and however it was defined.
class Named
  def plain = __callee__
  alias other plain
  define_method(:made) { __callee__ }
  alias made_other made
  define_method(:named) { __method__ }
  alias named_other named
  def mapped = [1].map { __callee__ }
  alias mapped_other mapped
  def rest(*) = __callee__
  alias rest_other rest
end
x = Named.new
[x.other, x.made, x.made_other, x.named_other] # => [:other, :made, :made_other, :named]
[x.send(:other), x.__send__(:other), x.public_send(:other), x.send(:made_other), x.send(*[:other])] # => [:other, :other, :other, :made_other, :other]
[x.method(:other).call, x.method(:made_other).call, x.method(:other).unbind.bind_call(x), x.method(:other).to_proc.call] # => [:other, :made_other, :other, :other]
[x.mapped_other, x.send(:mapped_other)] # => [[:mapped_other], [:mapped_other]]
[[x].map(&:other), :other.to_proc.call(x), x.instance_eval { other }, x&.other, x.rest_other(*[1]), x.send(:rest_other, *[1])] # => [[:other], :other, :other, :other, :rest_other, :rest_other]
name = :other
[x.send(name), x.__send__(name), x.public_send(name)] # => [:other, :other, :other]
class Below < Named
  def other = super
  def made_other = super
end
[Below.new.other, Below.new.made_other] # => [:other, :made_other]
500.times.map { x.send(:other) }.uniq # => [:other]
