# Methods show their class by its own inspect.
class Named
  def self.inspect = "Shown"
  def one = 1
end
Named.new.method(:one).inspect[/\A#<Method: [^ ]*/] # => "#<Method: Shown#one()"
Named.instance_method(:one).inspect[/\A#<UnboundMethod: [^ ]*/] # => "#<UnboundMethod: Shown#one()"
