def m(x)
  case x
  in [:add | :sub => op, Integer | Float => a, b] if b != 0 then [op, a, b]
  in { status: 200 | 201 } | { ok: true } then :ok
  in [_, _] then :pair
  in Hash => h unless h.empty? then h.keys
  else :none
  end
end
m([:add, 1, 2]) # => [:add, 1, 2]
m([:sub, 1.5, 0]) # => :none
m({ status: 201 }) # => :ok
m({ ok: true }) # => :ok
m([1, 2]) # => :pair
m({ z: 1 }) # => [:z]
m(nil) # => :none
