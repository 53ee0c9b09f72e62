# What a limit ends is not counted as a line; what the separator or the end of the file ends is.
require "tempfile"
r, w = IO.pipe
w << "abcdef\nxy\nlast\n\n\npara\n\nend"
w.close
[r.gets(3), r.lineno, $.] # => ["abc", 0, 0]
[r.gets, r.lineno, $.] # => ["def\n", 1, 1]
[r.gets("\n", 3), r.lineno, $.] # => ["xy\n", 2, 2]
[r.gets(2), r.gets(3), r.lineno] # => ["la", "st\n", 3]
[r.gets("", 2), r.lineno] # => ["pa", 3]
[r.gets(""), r.lineno] # => ["ra\n\n", 4]
[r.gets("", 100), r.lineno] # => ["end", 5]
[r.gets(nil, 3), r.lineno, r.gets, $.] # => [nil, 5, nil, 5]
f = Tempfile.create
f << "abc\ndef\n"
f.rewind
f.each_line(2).map { |line| [line, f.lineno] } # => [["ab", 0], ["c\n", 1], ["de", 1], ["f\n", 2]]
f.rewind
[f.readlines(3), f.lineno] # => [["abc", "\n", "def", "\n"], 2]
f.rewind
[f.readline(nil, 100), f.lineno] # => ["abc\ndef\n", 1]
f.rewind
[f.readline(nil, 8), f.lineno] # => ["abc\ndef\n", 0]
# Options that write characters as references.
f.reopen(f.path, "w:ISO-8859-1", xml: :text)
f << "<\u65e5&\u00e9>" << "plain"
f.close
File.binread(f.path) # => "&lt;&#x65E5;&amp;\xE9&gt;plain"
# What p has written has left the program.
File.open(f.path, "w") { |out| $stdout = out; p 1, "b"; $stdout = STDOUT; File.read(f.path) } # => "1\n\"b\"\n"
File.delete(f.path)
fork { exit! }.then { |pid| Process.wait2(pid)[1].exitstatus } # => 1
[:CLOCK_REALTIME, :CLOCK_MONOTONIC, :CLOCK_PROCESS_CPUTIME_ID, :CLOCK_THREAD_CPUTIME_ID].map { |name| Process.clock_gettime(name, :second).class } # => [Integer, Integer, Integer, Integer]
