# Decimal digits of big integers: every length in words, powers of ten and their neighbours, zeros inside

WORDS = [*1..12, 39, 40, 41, 103, 127, 128, 199, 200, 201, 260]

def read(text)
  negative = text.start_with?("-")
  n = text.scan(/\d{1,18}/).inject(0) { |sum, part| sum * 10**part.size + part.to_i }
  negative ? -n : n
end

[*1..60, *150..158, *380..400].all? { |k| (10**k).to_s == "1#{"0" * k}" } # => true
[*1..60, *150..158, *380..400].all? { |k| (10**k - 1).to_s == "9" * k } # => true
[*1..60, *150..158, *380..400].all? { |k| (-(10**k) - 1).to_s == "-1#{"0" * (k - 1)}1" } # => true
[2000, 3851, 3852, 3853, 3854, 6000].all? { |k| (10**k).to_s == "1#{"0" * k}" && (10**k - 1).to_s == "9" * k } # => true
WORDS.all? { |words| [2**(64 * words) - 1, 2**(64 * words), -(2**(64 * words - 1))].all? { |n| read(n.to_s) == n } } # => true
WORDS.all? { |words| n = 3**(40 * words) ^ (7**(22 * words) << 5); read(n.to_s) == n } # => true
(2**64).to_s # => "18446744073709551616"
(-(2**64)).inspect # => "-18446744073709551616"
(10**19 * 10**19 + 7).to_s # => "100000000000000000000000000000000000007"
"#{10**76}".size # => 77
(10**152 + 10**19).to_s == "1#{"0" * 132}1#{"0" * 19}" # => true
(2**128).to_s.encoding # => #<Encoding:US-ASCII>
