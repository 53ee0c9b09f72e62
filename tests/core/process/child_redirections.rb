# Redirections to other descriptors of the child, those that contradict each other, and many at once.
require "tmpdir"
DIR = Dir.mktmpdir
at_exit { system("rm", "-rf", DIR) }
Dir.chdir(DIR)
def both = ["sh", "-c", "echo a; echo b >&2"]
def run(*command, **options) = Process.wait(Process.spawn(*command, options))
run(*both, out: "o", err: [:child, :out])
File.read("o") # => "a\nb\n"
run(*both, err: [:child, 5], 5 => [:child, 6], 6 => [:child, :out], out: "o")
File.read("o") # => "a\nb\n"
IO.popen([*both, err: [:child, :out]], &:read) # => "a\nb\n"
run("true", out: [:child, :out]) # raises ArgumentError: cyclic child fd redirection from 1
run("true", 3 => [:child, 4], 4 => [:child, 3]) # raises ArgumentError: cyclic child fd redirection from 4
run("true", 3 => [:child, 4], 4 => [:child, 5], 5 => [:child, 3]) # raises ArgumentError: cyclic child fd redirection from 4
run("true", out: [:child, 3]) # raises ArgumentError: child fd 3 is not redirected
run("true", out: [:child, 3], 3 => :close) # raises ArgumentError: child fd 3 is not redirected
run("true", [1, :out] => 2) # raises ArgumentError: fd 1 specified twice
run("true", -1 => 2) # raises ArgumentError: negative file descriptor
run("true", 1 => Object) # raises ArgumentError: wrong exec redirect action
IO.popen(["true", out: :out]) # raises ArgumentError: fd 1 specified twice
IO.popen(["true", out: "o"]) # raises ArgumentError: fd 1 specified twice
IO.popen(["true", in: "o"], "w") # raises ArgumentError: fd 0 specified twice
IO.popen(["cat", in: "o"], &:read) # => "a\nb\n"
run("sh", "-c", "echo x >&3; echo y >&4", [3, 4] => ["o", "w"])
File.read("o") # => "x\ny\n"
run("sh", "-c", "echo x 2>/dev/null", [1, 2] => :close)
$?.success? # => false
IO.popen("cat", "r+") do |duplex|
  system("true", duplex => 1) # raises ArgumentError: duplex IO redirection
  system("true", 1 => duplex) # raises ArgumentError: duplex IO redirection
end

# The report of a program that cannot be run survives redirections of every number.
run("no-such-program", (3..80).to_a => ["o", "w"]) # raises Errno::ENOENT: No such file or directory - no-such-program
File.read("o") # => ""
File.open("o", "w") do |f|
  all = { STDOUT => f, f => STDOUT }
  3.upto(90) { |i| all[i] = STDOUT if f.fileno != i }
  Process.wait(Process.spawn("echo", "f", all))
end
File.read("o") # => "f\n"

class Array
  def to_hash = raise("asked")
end
system(["true", "true"]) # => true
Process::Status.allocate.pid # => 0
