def deep(n) = deep(n + 1) + 1
begin
  deep(0)
rescue SystemStackError => e
  e.message # => "stack level too deep"
  e.class.superclass # => Exception
end
# It can be caught more than once, and ensure clauses run.
$unwound = 0
def guarded(n)
  guarded(n + 1)
ensure
  $unwound += 1
end
guarded(0) # raises SystemStackError: stack level too deep
$unwound > 100 # => true
