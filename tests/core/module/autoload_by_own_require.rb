# One thread at a time requires the path of an autoload, also where the program's own `require` takes the path and loads
# no file.
module Made; end
$begun, $go, $calls = Queue.new, Queue.new, 0

module Kernel
  alias_method :require_of_files, :require
  def require(path)
    return require_of_files(path) unless path.start_with?("/nowhere/")
    $calls += 1
    $begun << true
    case $go.pop
    in :define then Made.const_set(:"C#{path[/\d+/]}", Module.new)
    in :nothing then nil
    in :fail then raise ArgumentError, "cannot load #{path}"
    end
    true
  end
end

# Two threads ask; the second comes while the first is in `require` and waits until it is done.
def ask(name, *what)
  Made.autoload name, "/nowhere/#{name[/\d+/]}"
  calls = $calls
  first = Thread.new { Made.const_get(name).inspect rescue $!.class }
  $begun.pop
  second = Thread.new { Made.const_get(name).inspect rescue $!.class }
  Thread.pass until second.stop?
  what.each { $go << it }
  [first.value, second.value, $calls - calls]
end

ask(:C1, :define) # => ["Made::C1", "Made::C1", 1]
ask(:C2, :nothing) # => [NameError, NameError, 1]
Made.autoload?(:C2) # => nil

# Whoever waited for a loading that failed tries once more.
ask(:C3, :fail, :define) # => [ArgumentError, "Made::C3", 2]

# In a child process nobody waits for what a thread of the parent was loading.
Made.autoload :C4, "/nowhere/4"
parent = Thread.new { Made::C4 }
$begun.pop
child = fork do
  $go << :define
  exit!(Made::C4.inspect == "Made::C4" ? 0 : 1)
end
Process.wait(child)
$?.exitstatus # => 0
$go << :define
parent.value # => Made::C4
