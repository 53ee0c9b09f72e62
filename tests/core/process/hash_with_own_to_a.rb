# The environment and the options of a new process are what the Hash holds, whatever its `to_a` says.
class Odd < Hash
  def to_a = 5
  def each = raise("not asked")
end

system(Odd["RUBELLITE_ODD", "b"], "test \"$RUBELLITE_ODD\" = b") # => true
system(Odd["RUBELLITE_ODD", nil], "true") # => true
system("test \"$PWD\" = / || test `pwd` = /", Odd[:chdir, "/"]) # => true
_, status = Process.wait2(spawn(Odd["RUBELLITE_ODD", "c"], "test $RUBELLITE_ODD = c", Odd[:unsetenv_others, false]))
status.success? # => true
system(Odd["RUBELLITE_ODD", 5], "true") # raises TypeError: no implicit conversion of Integer into String
system("true", Odd[:nonsense, 1]) # raises ArgumentError: wrong exec option symbol: nonsense
