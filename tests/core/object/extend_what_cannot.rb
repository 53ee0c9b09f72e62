1.extend(Comparable) # raises TypeError: can't define singleton
1.0.extend(Comparable) # raises TypeError: can't define singleton
(2.0**1000).extend(Comparable) # raises TypeError: can't define singleton
:a.extend(Comparable) # raises TypeError: can't define singleton
(-"a").extend(Comparable) # raises TypeError: can't define singleton
Object.new.freeze.extend(Comparable) rescue $!.class # => FrozenError
