# Long lines, cut by a limit or not: no character is cut, and what follows is read.
require "tempfile"
file = Tempfile.new("long_lines")
file.write("é" * 100_000 + "\n" + "b" * 70_000 + "\n" + "\xA9" * 70_000 + "é\n")
file.flush

def lines(file, *args, **options) = File.open(file.path, "r:UTF-8") { |io| io.each_line(*args, **options).map { |line| [line.size, line.bytesize] } }

lines(file) # => [[100001, 200001], [70001, 70001], [70002, 70003]]
lines(file, chomp: true) # => [[100000, 200000], [70000, 70000], [70001, 70002]]
lines(file, 150_001) # => [[75001, 150002], [25000, 49999], [70001, 70001], [70002, 70003]]
lines(file, nil, 200_000) # => [[100000, 200000], [140004, 140005]]
lines(file, "b", 199_999).first(3) # => [[100000, 200000], [2, 2], [1, 1]]
File.open(file.path, "r:UTF-8") { |io| [io.gets(70_001).size, io.pos, io.readpartial(2).bytes] } # => [35001, 70002, [195, 169]]
File.open("/dev/zero") { |io| io.gets("\n", 3_000_000).size } # => 3000000
