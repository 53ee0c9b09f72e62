e = [1, 2].each
seen = []
r = loop { seen << e.next }
seen # => [1, 2]
r # => [1, 2]
