print "a", 1, nil, :b, "\n"
puts
puts "x", ["y", ["z"]], nil
puts []
p
p 1
p 1, "two"
p # => nil
(p 3) # => 3
(p 4, 5) # => [4, 5]
pp({ a: 1 })
putc "A"
putc 10
$stdout << "chained " << 1 << "\n"
$stdout.write("w", 2, "\n")
$stdout.printf("%03d\n", 7)
printf("%s\n", "done")
puts "trailing\n"
puts 1.5, 2r, 3i
display
puts
# prints: a1b
# prints:
# prints: x
# prints: y
# prints: z
# prints:
# prints: 1
# prints: 1
# prints: "two"
# prints: 3
# prints: 4
# prints: 5
# prints: {a: 1}
# prints: A
# prints: chained 1
# prints: w2
# prints: 007
# prints: done
# prints: trailing
# prints: 1.5
# prints: 2/1
# prints: 0+3i
# prints: main
