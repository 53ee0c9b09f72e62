class K
  def who = [:k]
end
module R1
  refine K do
    def who = [:r1, *super]
  end
end
module R2
  refine K do
    def who = [:r2, *super]
  end
end
K.new.who # => [:k]
using R1
K.new.who # => [:r1, :k]
using R2
K.new.who # => [:r2, :k]
module En
  refine Enumerable do
    def my_count = count
  end
end
using En
[1, 2].my_count # => 2
R1.refinements.first.target # => K
K.new.method(:who).owner.class # => Refinement
