# `pp` notes what it prints where `inspect` looks for recursion: an enumerator finds itself there
require "pp"
[1].each.inspect # => "#<Enumerator: [1]:each>"
pp [1].each # prints: #<Enumerator: ...>
pp [1].lazy.map { } # prints: #<Enumerator::Lazy: ...>
pp [1].each + [2] # prints: #<Enumerator::Chain: ...>
pp Enumerator::Product.new([1]) # prints: #<Enumerator::Product: ...>
pp [[1].each] # prints: [#<Enumerator: ...>]
pp 1.step(5, 2) # prints: (1.step(5, 2))
[1].each.inspect # => "#<Enumerator: [1]:each>"
Thread.current[:__recursive_key__] = 5
[1].each.inspect # => "#<Enumerator: [1]:each>"
Thread.current[:__recursive_key__] = { inspect: nil }
[1].each.inspect # => "#<Enumerator: [1]:each>"
