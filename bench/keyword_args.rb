# Keyword, optional and splatted arguments in every mixture.
def keywords(a:, b: 2, **rest)
  a + b + rest.size
end

def optional(a, b = a + 1, *rest, c, key: 3)
  a + b + c + rest.size + key
end

def forward(...)
  optional(...)
end

sum = 0
options = { a: 1, b: 5 }
list = [1, 2, 3, 4]
800_000.times do |i|
  sum += keywords(a: i)
  sum += keywords(b: i, a: 1, c: 3)
  sum += keywords(**options)
  sum += optional(i, 1)
  sum += optional(*list, key: i)
  sum += forward(i, 2, 3, key: 4)
end
puts sum
