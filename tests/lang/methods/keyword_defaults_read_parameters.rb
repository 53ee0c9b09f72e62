# Defaults that read the parameter itself or others.
def itself_read(bar: bar) = bar
itself_read # => nil
def later(a = eval("b"), b = eval("kw"), kw: eval("kw2"), kw2: 3) = [a, b, kw, kw2]
later # => [nil, nil, 3, 3]
later(1) # => [1, nil, 3, 3]
later(7, 8, kw: 9, kw2: 10) # => [7, 8, 9, 10]
def captured(a: b = 2, c: proc { c }, d: 4) = [a, b, c.is_a?(Proc) ? c.call : c, d]
captured.first(2) # => [2, 2]
captured(d: 5).last # => 5
