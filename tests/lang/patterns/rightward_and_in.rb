config = { db: { user: "u", ports: [1, 2] } }
config => { db: { user:, ports: [first, *] } }
[user, first] # => ["u", 1]
1 in Integer # => true
"a" in Integer # => false
{ a: 1 } in { a: String } # => false
({ a: 1 } => { a: String }) # raises NoMatchingPatternError: {a: 1}: String === 1 does not return true
({ a: 1 } => { b: }) # raises NoMatchingPatternKeyError: {a: 1}: key not found: :b
(5 => String) # raises NoMatchingPatternError: 5: String === 5 does not return true
([1, 2] => [a]) # raises NoMatchingPatternError: [1, 2]: [1, 2] length mismatch (given 2, expected 1)
result = { k: [1, { z: 9 }] }
(result in { k: [*, { z: }] }) && z # => 9
x = 5
(case 5; in ^x then :pinned end) # => :pinned
(case 6; in ^(x + 1) then :expr end) # => :expr
@i = 7
(case 7; in ^@i then :ivar end) # => :ivar
