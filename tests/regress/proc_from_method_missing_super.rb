class A
  def respond_to_missing?(n, p = false) = n == :dyn || super
  def method_missing(n, *a, &b)
    return super unless n == :dyn
    b ? b.call(*a) : a
  end
end
A.new.dyn(1, 2) # => [1, 2]
A.new.dyn(3) { |x| x + 1 } # => 4
A.new.method(:dyn).to_proc.call(4) # => [4]
A.new.other # raises NoMethodError: undefined method 'other' for an instance of A
[A.new].map(&:dyn) # => [[]]
