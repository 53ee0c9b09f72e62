# Long lines, cut by a limit or not: no character is cut, and what follows is read.
PATH = "/tmp/rubellite_long_lines_#{$$}"
at_exit { File.delete(PATH) }
File.write(PATH, "é" * 100_000 + "\n" + "b" * 70_000 + "\n" + "\xA9" * 70_000 + "é\n")

def lines(*args, **options)
  File.open(PATH, "r:UTF-8") { |io| io.each_line(*args, **options).map { |line| [line.size, line.bytesize] } }
end

lines() # => [[100001, 200001], [70001, 70001], [70002, 70003]]
lines(chomp: true) # => [[100000, 200000], [70000, 70000], [70001, 70002]]
lines(150_001) # => [[75001, 150002], [25000, 49999], [70001, 70001], [70002, 70003]]
lines(nil, 200_000) # => [[100000, 200000], [140004, 140005]]
lines("b", 199_999).first(3) # => [[100000, 200000], [2, 2], [1, 1]]
File.open(PATH, "r:UTF-8") { |io| [io.gets(70_001).size, io.pos, io.readpartial(2).bytes] } # => [35001, 70002, [195, 169]]
File.open("/dev/zero") { |io| io.gets("\n", 3_000_000).size } # => 3000000
