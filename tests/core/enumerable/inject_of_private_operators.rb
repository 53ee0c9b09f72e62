# inject calls the operation as from outside.
class Each
  include Enumerable

  def each
    yield 1
    yield 2
  end
end

class Integer
  private :*, :+
end

[1, 2].inject(:*) # raises NoMethodError: private method '*' called for an instance of Integer
[1, 2].inject(3, :+) # raises NoMethodError: private method '+' called for an instance of Integer
(1..2).inject(:*) # raises NoMethodError: private method '*' called for an instance of Integer
Each.new.inject(:*) # raises NoMethodError: private method '*' called for an instance of Integer
Each.new.inject(:puts) # raises NoMethodError: private method 'puts' called for an instance of Integer
Each.new.inject(:-) # => -1
