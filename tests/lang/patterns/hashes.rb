def m(x)
  case x
  in {} then :empty
  in { type: :circle, r: } then [:circle, r]
  in { type: :rect, w: Integer => w, h: 1.. => h } then [:rect, w, h]
  in { only:, **nil } then [:only, only]
  in { name: String => name, **rest } then [name, rest]
  end
end
m({}) # => :empty
m({ type: :circle, r: 2 }) # => [:circle, 2]
m({ type: :rect, w: 1, h: 2, extra: 3 }) # => [:rect, 1, 2]
m({ only: 1 }) # => [:only, 1]
m({ name: "n", a: 1 }) # => ["n", {a: 1}]
m({ type: :rect, w: 1, h: 0 }) # raises NoMatchingPatternError: {type: :rect, w: 1, h: 0}
m({ only: 1, b: 2 }) # raises NoMatchingPatternError: {only: 1, b: 2}
case { a: { b: [1, { c: 2 }] } }
in { a: { b: [_, { c: }] } }
  c # => 2
end
case { "a": 1 }
in { "a": x }
  x # => 1
end
