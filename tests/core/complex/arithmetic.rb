Complex(1, 2) + 1 # => (2+2i)
Complex(1, 2) * Complex(3, 4) # => (-5+10i)
Complex(1, 2).abs # => 2.23606797749979
Complex(3, 4).abs # => 5.0
Complex(1, 2).conjugate # => (1-2i)
Complex(1, 2) ** 2 # => (-3+4i)
Complex("1+2i") # => (1+2i)
Complex(1, 2) == Complex(1, 2) # => true
Complex(1, 2).rectangular # => [1, 2]
Complex.polar(1, 0) # => (1+0.0i)
Complex(1, 2).to_s # => "1+2i"
Complex(1.0, -0.0).inspect # => "(1.0-0.0i)"
2i * 2i # => (-4+0i)
Complex(1, 0).to_i # => 1
Complex(1, 2).to_i # raises RangeError: can't convert 1+2i into Integer
Complex(1, 2) / Complex(1, 1) # => ((3/2)+(1/2)*i)
Complex(1, 2) - 1i # => (1+1i)
