class K
  def m
    K.class_eval { def m = :second }
    :first
  end
end
k = K.new
k.m # => :first
k.m # => :second
def top = 1
(1..3).map { |i| (eval("def top = #{i * 10}") if i == 2); top } # => [1, 20, 20]
