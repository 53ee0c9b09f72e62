# The error of a `method_missing` that ends in `super` is that of the call that led there.
class Missing
  def method_missing(*) = super
  private def hidden = 1
end
error = begin
  Missing.new.one(1, 2)
rescue NameError => e
  e
end
error.message # => "undefined method 'one' for an instance of Missing"
error.args # => [1, 2]
error = begin
  Missing.new.hidden
rescue NameError => e
  e
end
error.message # => "private method 'hidden' called for an instance of Missing"
error = begin
  Missing.new.instance_eval("variable")
rescue NameError => e
  e
end
error.class # => NameError
error.message[/\A[^']*'\w+'/] # => "undefined local variable or method 'variable'"
error = begin
  Missing.new.public_send(:two, 3)
rescue NameError => e
  e
end
error.class # => NoMethodError
