# Redirections and options that are wrong, or unusual: what each raises, and that no descriptor is lost.
require "tmpdir"
DIR = Dir.mktmpdir
at_exit { system("rm", "-rf", DIR) }
Dir.chdir(DIR)
BOTH = ["sh", "-c", "echo a; echo b >&2; test -t 0 || cat <&0 >/dev/null"]
def run(*command, **options)
  File.write("o", "")
  Process.wait(Process.spawn(*command, { in: IO::NULL, err: IO::NULL }.merge(options)))
  File.read("o")
end
def one(key, value) = Process.wait(Process.spawn("true", { key => value }))
def descriptors = Dir.children("/proc/self/fd").size
File.write("o", "")
before = descriptors

# A path alone is written to by descriptors 1 and 2 only; in an Array it is read unless a mode is given.
run(*BOTH, [:out, :err] => "o", err: [:child, :out]) # raises ArgumentError: fd 2 specified twice
run(*BOTH, out: "o") # => "a\n"
run("sh", "-c", "echo x 2>/dev/null || exit 1", out: ["o"]) # => ""
$?.exitstatus # => 1
one [:out, 5], "missing" # raises Errno::ENOENT: No such file or directory - missing
one :out, ["missing", nil] # raises Errno::ENOENT: No such file or directory - missing
run(*BOTH, out: ["o", File::WRONLY | File::APPEND, 0600.to_r]) # => "a\n"
one :out, ["o", :w] # raises TypeError: no implicit conversion of Symbol into Integer
one :out, ["o", "zz"] # raises ArgumentError: invalid access mode zz
one :out, ["o", "w\0"] # raises ArgumentError: string contains null byte
one :out, ["o", "w", "x"] # raises TypeError: no implicit conversion of String into Integer
one :out, [] # raises TypeError: no implicit conversion of nil into String
one :out, [:child] # raises TypeError: no implicit conversion of Symbol into String
one :out, [:child, nil] # raises ArgumentError: wrong exec redirect
one :out, [:child, 1, 2] # raises TypeError: no implicit conversion of Symbol into String
one :out, :foo # raises ArgumentError: wrong exec redirect symbol: foo
one :out, 1.5 # raises ArgumentError: wrong exec redirect action
one :out, 2**40 # raises RangeError: integer 1099511627776 too big to convert to 'int'
one [:out, :foo], "o" # raises ArgumentError: wrong exec redirect
one [nil], "o" # raises ArgumentError: wrong exec redirect
one [:out, :err], :close
$?.success? # => true
one "out", "o" # raises ArgumentError: wrong exec option
one nil, "o" # raises ArgumentError: wrong exec option
one 2**40, "o" # raises RangeError: integer 1099511627776 too big to convert to 'int'

one :foo, 1 # raises ArgumentError: wrong exec option symbol: foo
one :new_pgroup, true # raises ArgumentError: wrong exec option symbol: new_pgroup
one :exception, true # raises ArgumentError: exception option is not allowed
one :umask, nil # raises TypeError: no implicit conversion of nil into Integer
one :umask, 2**40 # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
one :umask, 2**70 # raises RangeError: bignum too big to convert into 'unsigned long'
one :pgroup, 2**40 # raises RangeError: integer 1099511627776 too big to convert to 'int'
one :pgroup, -1 # raises ArgumentError: negative process group ID : -1
one :pgroup, 99_999_999 # raises Errno::EPERM: Operation not permitted - setpgid
one :uid, nil # raises TypeError: no implicit conversion of nil into Integer
one :rlimit_core, [2, 1] # raises Errno::EINVAL: Invalid argument - setrlimit
one :rlimit_core, [] # raises ArgumentError: wrong exec rlimit option
one :rlimit_core, "INFINITY" # raises TypeError: no implicit conversion of String into Integer
one :rlimit_core, 2**70 # raises RangeError: bignum too big to convert into 'unsigned long'
one :rlimit_core, [0]
$?.success? # => true

# What `system` says of a step on the way to the program is about the program;
# a file that cannot be opened is told at once.
system("true", in: "missing") # raises Errno::ENOENT: No such file or directory - missing
system("true", chdir: "missing") # => nil
system("true", chdir: "missing", exception: true) # raises Errno::ENOENT: No such file or directory - true
system("true", exception: 1) # raises ArgumentError: expected true or false as exception: 1
exec("true", exception: true) # raises ArgumentError: exception option is not allowed

# Commands.
system("o/x", exception: true) # raises Errno::ENOTDIR: Not a directory - o/x
system("a\0b") # raises ArgumentError: string contains null byte
system(["true\0", "x"]) # raises ArgumentError: string contains null byte
system(:true) # raises TypeError: no implicit conversion of Symbol into String
spawn(" ") # raises Errno::ENOENT: No such file or directory - 
descriptors == before # => true

IO.popen # raises ArgumentError: wrong number of arguments (given 0, expected 1..2)
IO.popen("true", "r", "w") # raises ArgumentError: wrong number of arguments (given 3, expected 1..2)
IO.popen({}) # raises TypeError: no implicit conversion of Hash into String
IO.popen("true", chdir: "missing") # raises Errno::ENOENT: No such file or directory - chdir
IO.popen(["true", exception: true]) # raises ArgumentError: exception option is not allowed
IO.popen(["pwd", chdir: "/"], chdir: "/usr", &:read) # raises ArgumentError: chdir option specified twice
IO.popen(["pwd", chdir: "/"], umask: 0, &:read) # => "/\n"
IO.popen({ "B" => "y" }, [{ "A" => "x" }, "sh", "-c", "echo $A $B"], &:read) # => "y\n"
IO.popen("echo a", foo: 1, &:read) # => "a\n"
descriptors == before # => true
