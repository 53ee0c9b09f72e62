"hello world" =~ /o (w)/
$~[0] # => "o w"
$1 # => "w"
$2 # => nil
$& # => "o w"
$` # => "hell"
$' # => "orld"
$+ # => "w"
"x" =~ /y/
$~ # => nil
$, # => nil
$/ # => "\n"
$; # => nil
$0 == __FILE__ # => true
$PROGRAM_NAME == $0 # => true
$$ == Process.pid # => true
$stdout.class # => IO
$nope # => nil
$: .class # => Array
$LOAD_PATH.equal?($:) # => true
$".class # => Array
$-w.nil? # => false
$VERBOSE # => false
$DEBUG # => false
ENV.class # => Object
ARGV # => []
($stdout = 5) # raises TypeError: $stdout must have write method, Integer given
($, = 5) # raises TypeError: value of $, must be String
