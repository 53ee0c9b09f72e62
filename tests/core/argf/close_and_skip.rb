# Closing and skipping files: what is current, counted and closed then.
require "tmpdir"
dir = Dir.mktmpdir
a, b = "#{dir}/a", "#{dir}/b"
File.write(a, "1\n2\n")
File.write(b, "3\n4\n")
argf = ->(*files) { ARGF.class.new(*files) }
# Lines are counted anew behind `close`; `filename` goes on to the next file, if there is one.
f = argf.(a, b)
[f.gets, f.lineno, f.close.lineno, f.gets, f.lineno] # => ["1\n", 1, 0, "3\n", 1]
[f.close.closed?, f.lineno, f.gets] # => [true, 0, nil]
f.argv << a
[f.gets, f.lineno] # => ["1\n", 1]
f = argf.(a, b)
f.gets
f.skip
[f.filename == b, f.file.path == b, f.lineno] # => [true, true, 1]
f = argf.(a, b)
lines = []
f.each_line { |line| lines << [line, f.lineno, f.file.lineno]; f.skip }
lines # => [["1\n", 1, 1], ["3\n", 2, 1]]
f.eof? # raises IOError: closed stream
f = argf.(a)
f.read
f.eof? # raises IOError: closed stream
f = argf.(a)
f.gets
f.skip
[f.gets, f.gets, f.lineno] # => [nil, nil, 1]
f = argf.(a, b)
3.times { f.gets }
[f.lineno, f.rewind, f.lineno, f.gets, f.lineno] # => [3, 0, 2, "3\n", 3]
f = argf.(a, b)
f.close.close
f.closed? # => true
f.gets # => nil
f.eof? # raises IOError: closed stream
f.close # => ARGF
[a, b].each { |name| File.delete(name) }
Dir.rmdir(dir)
