# What the #! line asks for holds for programs from standard input, too; a line for another program is passed over.
require "rbconfig"
require "tempfile"

run = ->(program, *words) {
  IO.popen([RbConfig.ruby, *words, err: %i[child out]], "r+") { |io| io.write(program); io.close_write; io.read }
}
run.("#!ruby -s\np [$abc, $def, $ghi_jkl, defined?($xyz)]\n", "-", "-abc", "-def=foo", "-ghi-jkl", "--", "-xyz") # => "[true, \"foo\", true, nil]\n"

file = Tempfile.new(%w[later .rb])
file.write("#! /non/exist\nthis is no program\n#! /usr/bin/ruby -s\nprint $zzz\n__END__\nnor is this\n")
file.close
run.("", file.path, "-zzz=555") # => "555"

say = ->(feature) {
  IO.popen([RbConfig.ruby, "-w", "-r", feature, "-e", "1", err: %i[child out]], &:read).lines.grep(/<internal/)
}
say.("socket") # => []
run.("#!", "-") # => ""

# A variable of the runtime takes what it is given as from the program.
IO.popen([RbConfig.ruby, "--disable=gems", "-s", "-e", "p $DEBUG", "--", "-DEBUG=x"], &:read) # => "\"x\"\n"
