# needs: 4.0
Enumerator.produce(1, &:succ).size # => Infinity
Enumerator.produce(1, size: 5, &:succ).size # => 5
Enumerator.produce(1, size: -> { 7 }, &:succ).size # => 7
Enumerator.produce(1, size: nil, &:succ).size # => nil
