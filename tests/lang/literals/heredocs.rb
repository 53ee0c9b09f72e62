plain = <<TEXT
one
  two
TEXT
plain # => "one\n  two\n"
squiggly = <<~TEXT
  one
    two

  three #{1 + 1}
TEXT
squiggly # => "one\n  two\n\nthree 2\n"
raw = <<~'TEXT'
  a #{b}\n
TEXT
raw # => "a \#{b}\\n\n"
dash = <<-TEXT
  x
  TEXT
dash # => "  x\n"
two = [<<~A, <<~B]
  first
A
  second
B
two # => ["first\n", "second\n"]
chained = <<~TEXT.lines.map(&:strip)
  a
  b
TEXT
chained # => ["a", "b"]
