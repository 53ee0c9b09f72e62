# A call whose receivers have a method that is protected in one class and public in another: what the call remembers of
# the public one is not for the others.
class Ranked
  def initialize(rank) = @rank = rank
  def against(other) = [rank, other.rank]
  def rank_of(other) = other.rank

  protected

  def rank = @rank
end

class Decorated < Ranked
  def rank = super + 100
end

plain, decorated = Ranked.new(1), Decorated.new(2)
plain.against(plain) # => [1, 1]
plain.against(decorated) # => [1, 102]
decorated.against(plain) # => [102, 1]
plain.against(plain) # => [1, 1]
3.times.map { [plain, decorated, plain].map { |other| decorated.rank_of(other) } }.uniq # => [[1, 102, 1]]
plain.rank # raises NoMethodError: protected method 'rank' called for an instance of Ranked
[plain, decorated].map { |it| it.rank rescue $!.class } # => [NoMethodError, 102]
