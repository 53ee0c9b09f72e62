# A receiver that moves to another ractor while one of its methods runs says so, like any that was moved before.
$VERBOSE = nil
def move(object) = Ractor.new { Ractor.receive }.send(object, move: true)

def told(object, name, *args)
  moved = false
  object.__send__(name, *args) do |*|
    move(object) unless moved
    moved = true
    false
  end
  :ended
rescue => error
  error.message == "can not send any methods to a moved object" ? error.class : error.message
end

%i[each map! select! delete_if each_with_index reverse_each sort_by].map { |name| told([1, 2, 3], name) }.uniq # => [Ractor::MovedError]
%i[each each_key map select! delete_if transform_values! count group_by].map { |name| told({ 1 => 2, 3 => 4 }, name) }.uniq # => [Ractor::MovedError]
%i[each map! select! group_by].map { |name| told(Set[1, 2, 3], name) }.uniq # => [Ractor::MovedError]
%i[each map select].map { |name| told(Struct.new(:a, :b).new(1, 2), name) }.uniq # => [Ractor::MovedError]
