module M; X = 1; end
get = -> { M::X }
get.call # => 1
M.send(:remove_const, :X)
get.call # raises NameError: uninitialized constant M::X
M::X = 2
get.call # => 2
class C
  def x = Y rescue :none
end
C.new.x # => :none
Y = :top
C.new.x # => :top
class C; Y = :own; end
C.new.x # => :own
