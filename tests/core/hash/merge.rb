{ a: 1, b: 2 }.merge({ b: 3, c: 4 }) # => {a: 1, b: 3, c: 4}
{ a: 1, b: 2 }.merge({ b: 3 }) { |k, o, n| [k, o, n] } # => {a: 1, b: [:b, 2, 3]}
{ a: 1 }.merge # => {a: 1}
{ a: 1 }.merge({ b: 2 }, { c: 3 }) # => {a: 1, b: 2, c: 3}
h = { a: 1 }
h.update(b: 2) # => {a: 1, b: 2}
h # => {a: 1, b: 2}
h.replace({ z: 1 }) # => {z: 1}
{ a: 1 }.merge(5) # raises TypeError: no implicit conversion of Integer into Hash
