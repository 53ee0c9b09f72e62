# A long dump is written in parts that fit together.
buffer = IO::Buffer.for("abcdefgh" * 2_000)
lines = buffer.hexdump(3, 15_000, 7).lines
lines.size # => 2143
lines.map { |line| line[/0x(\h+)/, 1].hex }.each_cons(2).all? { |a, b| b - a == 7 } # => true
lines.map { |line| line.chomp[-7..] }.join.start_with?("defghabcdefgh") # => true
[lines[-2], lines[-1]] # => ["0x00003a8e  67 68 61 62 63 64 65 ghabcde\n", "0x00003a95  66 67 68 61 62 63    fghabc"]
IO::Buffer.for("").hexdump # => ""
