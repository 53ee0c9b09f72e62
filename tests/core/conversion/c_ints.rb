# Numbers that CRuby takes as a C int.
"a".sum(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
[[1]].flatten(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
[[1]].flatten(-2**40) # raises RangeError: integer -1099511627776 too small to convert to 'int'
[[1]].flatten!(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Thread.current.priority = 2**40 # raises RangeError: integer 1099511627776 too big to convert to 'int'
Struct.new(:a).new(1)[2**40] # raises RangeError: integer 1099511627776 too big to convert to 'int'
Struct.new(:a).new(1)[2**70] # raises RangeError: bignum too big to convert into 'long'
# Any Integer is a status, by to_int, too.
SystemExit.new(2**62).status # => 4611686018427387904
SystemExit.new(2**64).message # => "SystemExit"
status = Object.new
def status.to_int = 3
SystemExit.new(status, "x").status # => 3
SystemExit.new(nil).status # => 0
SystemExit.new("x").message # => "x"
format("%c", nil) # raises TypeError: no implicit conversion from nil to integer
