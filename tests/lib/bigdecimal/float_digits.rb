# A Float to some digits: what looks like a half in arithmetic of Floats is rounded to even,
# whatever its exact value is.
require "bigdecimal"
require "bigdecimal/util"
def digits(x, n) = BigDecimal(x, n).to_s

digits(123.455, 5) # => "0.12346e3"
digits(123.445, 5) # => "0.12344e3"
digits(2.675, 3) # => "0.268e1"
digits(2.665, 3) # => "0.266e1"
digits(-2.675, 3) # => "-0.268e1"
digits(1.005, 3) # => "0.1e1"
digits(0.00475, 2) # => "0.48e-2"
digits(9.95, 2) # => "0.1e2"
digits(2.5, 1) # => "0.2e1"
digits(91130281.65, 9) # => "0.911302816e8"
digits(2.749450647925e+19, 12) # => "0.274945064792e20"
digits(7.499999999999998e+16, 1) # => "0.8e17"
digits(868645183989.805, 14) # => "0.8686451839898e12"
digits(0.1 + 0.2, 3) # => "0.3e0"
digits(123.451, 5) # => "0.12345e3"
123.455.to_d(5).to_s # => "0.12346e3"
digits(1.2345678901234567, 16) # => "0.1234567890123457e1"
