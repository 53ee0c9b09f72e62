# `"literal".freeze` and `-"literal"` are the literal itself until the program redefines the methods.
def frozen = ["foo".freeze, -"foo"]
frozen[0].equal?(frozen[0]) # => true
frozen.map(&:frozen?) # => [true, true]
class String
  def freeze = [self, frozen?]
  def -@ = 7
end
frozen # => [["foo", false], 7]
"a#{1}".freeze # => ["a1", false]
class String
  remove_method :freeze
  remove_method :-@
end
