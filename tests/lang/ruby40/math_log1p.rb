# needs: 4.0
Math.log1p(0) # => 0.0
Math.expm1(0) # => 0.0
Math.log1p(1e-20) # => 1.0e-20
Math.log1p(-2) # raises Math::DomainError: Numerical argument is out of domain - log1p
