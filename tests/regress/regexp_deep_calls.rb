# Groups that call themselves match as deep as the text asks for, on every kind of stack.
nested = /\A(?<x>a\g<x>?b)\z/
(("a" * 26 + "b" * 26) =~ nested) # => 0
match = -> { ("a" * 3000 + "b" * 3000).match(nested)[0].size }
match.call # => 6000
Thread.new(&match).value # => 6000
Fiber.new(&match).resume # => 6000
Enumerator.new { |y| y << match.call }.next # => 6000
(("a" * 3000 + "b" * 2999) =~ nested) # => nil
(("(" * 500 + ")" * 500) =~ /\A(?<p>\((?:\g<p>)*\))\z/) # => 0

# Calls that failed, or have returned, do not count as depth.
(("ab" * 100 + "c") =~ /\A(?:\g<x>c|ab)*(?<x>b|c)\z/) # => 0
("(a,(b,c),[d]," * 40)[/\A(?:(?:\g<list>|\g<word>|\g<bracket>),?|(?<list>\((?:\g<word>,?)+\))|(?<word>[a-z])|(?<bracket>\[\g<word>\])|\()*/].size # => 520

# A match that goes on for long ends in time, and one that never ends takes no more memory than its text is worth.
Regexp.timeout = 0.3
begin
  ("a" * 300_000 + "b" * 300_000) =~ nested
rescue Regexp::TimeoutError => error
  error.message # => "regexp match timeout"
end
