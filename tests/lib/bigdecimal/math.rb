# BigMath, conversions, rounding; values are CRuby's, of the library's version 4
require "bigdecimal"
require "bigdecimal/math"
require "bigdecimal/util"
include BigMath

PI(50).round(49) # => 0.31415926535897932384626433832795028841971693993751e1
E(50).round(49) # => 0.27182818284590452353602874713526624977572470937e1
sin(BigDecimal("1"),40).round(39) # => 0.841470984807896506652502321630298999623e0
sin(BigDecimal("100"),40).round(39) # => -0.506365641109758793656557610459785432065e0
cos(BigDecimal("1"),40).round(39) # => 0.540302305868139717400936607442976603732e0
cos(BigDecimal("-3.7"),40).round(39) # => -0.848100031710408158835670106354402369713e0
atan(BigDecimal("1"),40).round(39) # => 0.785398163397448309615660845819875721049e0
atan(BigDecimal("-0.3"),40).round(39) # => -0.291456794477867091995604621432891193503e0
atan(BigDecimal("30"),40).round(39) # => 0.1537475330916649422075173902618357495499e1
sqrt(BigDecimal("2"),40).round(39) # => 0.141421356237309504880168872420969807857e1
BigMath.log(BigDecimal("2"),40).round(39) # => 0.693147180559945309417232121458176568076e0
BigMath.log(BigDecimal("1e-30"),40).round(37) # => -0.69077552789821370520539743640530926228e2
BigMath.log(BigDecimal("1e30"),40).round(37) # => 0.69077552789821370520539743640530926228e2
BigMath.log(BigDecimal("0.999"),40).round(39) # => -0.1000500333583533500142982254068344961e-2
BigMath.exp(BigDecimal("2"),40).round(38) # => 0.738905609893065022723042746057500781318e1
BigMath.exp(BigDecimal("-50.3"),40).round(60) # => 0.142885303050876342677202340219937390512e-21
BigMath.exp(BigDecimal("50.3"),40).round(10) # => 0.69986204224512565097034736111912e22
(BigDecimal("2")**BigDecimal("0.5")).round(20) # => 0.14142135623730950488e1
(BigDecimal("1.7").power(BigDecimal("3.3"),20)).round(18) # => 0.5760781994950998737e1
(BigDecimal("1.7").power(BigDecimal("-3.3"),20)).round(18) # => 0.173587544343188777e0
BigDecimal("1.1")**100 # => 0.137806123398222701841183371720896367762643312000384664331464775521549852095523076769401159497458526446001e5
BigDecimal("3")**-2 # => 0.11111111111111111111111111111111e0
"1.5abc".to_d # => 0.15e1
0.1.to_d # => 0.1e0
1.to_d # => 0.1e1
(1/3r).to_d(5) # => 0.33333e0
BigDecimal("1234.5").to_digits # => "1234.5"
nil.to_d # => 0.0
BigDecimal("0.1").frac # => 0.1e0
BigDecimal("-1.1").frac # => -0.1e0
BigDecimal("-1.1").fix # => -0.1e1
BigDecimal("1e-20").precision # => 20
BigDecimal("123.4").precision # => 4
BigDecimal("0.0123").precision # => 4
BigDecimal("0.1").to_f # => 0.1
BigDecimal("1").hash == BigDecimal("1.0").hash # => true
{BigDecimal("1")=>2}[BigDecimal("1.0")] # => 2
BigDecimal("10").clamp(1,5) # => 5
[BigDecimal("3"),1,2.5].sort # => [1, 2.5, 0.3e1]
[BigDecimal("3"),1,2.5].sum # => 0.65e1
BigDecimal("3").to_s("F") # => "3.0"
"%.3f" % BigDecimal("3.14159") # => "3.142"
"%d" % BigDecimal("3.14159") # => "3"
"%s" % BigDecimal("3.14159") # => "0.314159e1"
BigDecimal("12345678901234567890.123").floor(1) # => 0.123456789012345678901e20
BigDecimal("12345678901234567890.123").ceil(-3) # => 0.12345678901234568e20
BigDecimal("0.5").round # => 1
BigDecimal("1.5").round # => 2
BigDecimal("-2.5").round(half: :even) # => -2
(1..3).sum { BigDecimal(_1) } # => 0.6e1
Rational(1,2) * BigDecimal("2") # => 0.1e1
2.0 / BigDecimal("3") # => 0.66666666666666666666666666666667e0
2 ** BigDecimal("3") # => 0.8e1
10.fdiv(BigDecimal("3")).class # => Float
BigDecimal("1").is_a?(Numeric) # => true
BigDecimal("3").positive? # => true
BigDecimal("-3").negative? # => true
BigDecimal("3").step(5).to_a # => [0.3e1, 0.4e1, 0.5e1]
BigDecimal("3.7").integer? # => false
BigDecimal("3").real? # => true
Math.sqrt(BigDecimal("4")) # => 2.0
BigDecimal("1")/3*3 # => 0.99999999999999999999999999999999e0
BigDecimal::NAN == BigDecimal::NAN # => false
BigDecimal::INFINITY > 1 # => true
BigDecimal.save_rounding_mode { BigDecimal.mode(BigDecimal::ROUND_MODE, :up); BigDecimal("1.1").round } # => 2
BigDecimal.mode(BigDecimal::ROUND_MODE) # => 3
BigDecimal.save_limit { BigDecimal.limit(3); BigDecimal("1.23456")+1 } # => 0.223e1
