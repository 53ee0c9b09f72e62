# The class of ARGF has a name that no constant has.
ARGF.class.name # => "ARGF.class"
ARGF.class.inspect # => "ARGF.class"
ARGF.class.singleton_methods # => []
ARGF.class.set_temporary_name("fake") # raises RuntimeError: can't change permanent name
ARGF.inplace_mode = 1 # raises TypeError: no implicit conversion of Integer into String
begin
  ARGF.class.new("/nonexistent").gets
rescue Errno::ENOENT => error
  error.backtrace[0][/'.*'/] # => "'ARGF.class#gets'"
end
