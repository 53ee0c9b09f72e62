def all(*args, **opts, &blk) = [args, opts, blk&.call]
all(1, *[2, 3], a: 4, **{ b: 5 }) { 6 } # => [[1, 2, 3], {a: 4, b: 5}, 6]
all(*[], **{}) # => [[], {}, nil]
all({ a: 1 }) # => [[{a: 1}], {}, nil]
all("k" => 1, k: 2) # => [[], {"k" => 1, k: 2}, nil]
h = { a: 1 }
all(**h) # => [[], {a: 1}, nil]
all(*[1, { b: 2 }]) # => [[1, {b: 2}], {}, nil]
all(&:to_s.to_proc.then { -> { 9 } }) # => [[], {}, 9]
def positional(*a) = a
positional(1, b: 2) # => [1, {b: 2}]
positional(**{}) # => []
