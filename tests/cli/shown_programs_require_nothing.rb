# What only checks or shows a program requires nothing.
require "rbconfig"
require "tempfile"

file = Tempfile.new(%w[loaded .rb])
file.write("abort 'run'")
file.close
run = ->(*words) { IO.popen([RbConfig.ruby, "-r", file.path, *words, err: %i[child out]], &:read).include?("run") }
run.("-c", "-e", "1") # => false
run.("--dump=insns", "-e", "1") # => false
run.("-e", "1") # => true

say = ->(*words) { IO.popen([RbConfig.ruby, *words, err: %i[child out]], &:read).sub(/\A\S*: /, "") }
say.("--backtrace-limit=", "-e", "1")[/missing argument for --backtrace-limit/] # => "missing argument for --backtrace-limit"
say.("-Wx", "-e", "p $-W") # => "2\n"
say.("-wKe", "-e", "1")[/-K is specified; it is for 1.8 compatibility and may cause odd behavior/] # => "-K is specified; it is for 1.8 compatibility and may cause odd behavior"
say.("-Ke", "-e", "1") # => ""
