deep = 2000.times.inject(nil) { |inner, _| [inner] }
deep.flatten.size # => 1
deep.inspect.size # => 4003
deep.hash == deep.dup.hash # => true
Marshal.load(Marshal.dump(deep)) == deep # => true
(deep <=> deep.dup) # => 0
