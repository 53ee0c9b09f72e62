# A file that is reopened by its name goes on counting lines; by another IO, it takes that one's count.
require "tempfile"
PATH = Tempfile.create("reopen").tap { it << "a\nb\nc\n"; it.close }.path
file = File.open(PATH)
2.times { file.gets }
file.reopen(PATH)
[file.lineno, file.gets, file.lineno, $.] # => [2, "a\n", 3, 3]
file.reopen(PATH, "r")
[file.lineno, file.gets, file.lineno, $.] # => [3, "a\n", 4, 4]
other = File.open(PATH)
other.gets
file.reopen(other)
[file.lineno, file.pos, file.gets, file.lineno] # => [1, 2, "b\n", 2]
# A closed one is open again, without what it was open for.
file.close
file.reopen(PATH).closed? # => false
file.gets # raises IOError: not opened for reading
file.write("x") # raises IOError: not opened for writing
file.close
other.close
file.reopen(other) # raises IOError: closed stream
File.delete(PATH)
