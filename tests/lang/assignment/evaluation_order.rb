$order = []
def note(x)
  $order << x
  x
end
object = Object.new
def object.[]=(k, v)
  $order << [:set, k, v]
end
def object.self_noted
  $order << :receiver
  self
end
object.self_noted[note(1)], object.self_noted[note(2)] = note(3), note(4)
$order # => [:receiver, 1, :receiver, 2, 3, 4, [:set, 1, 3], [:set, 2, 4]]
