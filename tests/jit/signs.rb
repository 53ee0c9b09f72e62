# Predicates and parts of numbers in compiled code.
def signs(number)
  [number.positive?, number.negative?, number.zero?, number.real?, number.integer?, number.finite?, number.infinite?]
end
100.times.map { |i| signs(i % 3 - 1) }.uniq # => [[false, true, false, true, true, true, nil], [false, false, true, true, true, true, nil], [true, false, false, true, true, true, nil]]
100.times.map { |i| signs((i % 3 - 1).to_f) }.uniq # => [[false, true, false, true, false, true, nil], [false, false, true, true, false, true, nil], [true, false, false, true, false, true, nil]]
100.times.map { |i| signs((i % 3 - 1) * 2**70) }.uniq # => [[false, true, false, true, true, true, nil], [false, false, true, true, true, true, nil], [true, false, false, true, true, true, nil]]
100.times.map { |i| signs((i % 3 - 1) / 0.0).last(2) }.uniq # => [[false, -1], [false, nil], [false, 1]]
100.times.map { |i| signs((i % 3 - 1) / 2r).first(5) }.uniq # => [[false, true, false, true, false], [false, false, true, true, false], [true, false, false, true, false]]
def parts(number) = [number.real, number.imaginary, number.imag, number.conj, number.denominator, number.numerator]
100.times.map { |i| parts(i % 2) }.uniq # => [[0, 0, 0, 0, 1, 0], [1, 0, 0, 1, 1, 1]]
100.times.map { |i| parts(0.5) }.uniq # => [[0.5, 0, 0, 0.5, 2, 1]]
