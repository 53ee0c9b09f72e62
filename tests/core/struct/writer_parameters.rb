# The parameter of a member's writer has a name.
Struct.new(:a).instance_method(:a=).parameters # => [[:req, :_]]
Struct.new(*(:a..:z)).instance_method(:z=).parameters # => [[:req, :_]]
record = Struct.new(:a) { alias c= a= }
record.instance_method(:c=).parameters # => [[:req, :_]]
Class.new { attr_writer :x }.instance_method(:x=).parameters # => [[:req]]
