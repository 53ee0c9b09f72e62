# An exit out of a static constructor ends that one, and goes on when the loader has done its work and given its lock
# back.
require_relative "fixtures/build"

$questions = [-> { 1 }, -> { 2 }]
FAILING = load_c("failing", language: "cc")

# A copy is another file to the loader.
def try(first, second = -> { 2 })
  $answered = $started = nil
  $questions = [first, second]
  dir = Dir.mktmpdir("cext")
  at_exit { system("rm", "-rf", dir) }
  system("cp", FAILING, dir)
  require $path = "#{dir}/failing.so"
end

try(-> { raise ArgumentError, "no" }) # raises ArgumentError: no
# The next constructor was called, and the function behind was not.
[$answered, $started, $questions] # => [[2, 6.0], nil, []]

# The first exit counts.
try(-> { raise IndexError, "one" }, -> { raise KeyError, "two" }) # raises IndexError: one
try(-> { 1 }, -> { raise KeyError, "two" }) # raises KeyError: two
catch(:done) { try(-> { throw :done, 5 }) } # => 5
begin; try(-> { exit 3 }); rescue SystemExit => e; e.status; end # => 3
Thread.new { try(-> { Thread.current.kill; sleep }) }.join(60).class # => Thread

# What has failed is not tried again: the loader calls constructors once.
try(-> { raise "no" }) # raises RuntimeError: no
$questions = [-> { 1 }] * 2
begin; require($path); rescue LoadError => e; e.message.delete_suffix($path); end # => "a static constructor has failed before - "

# The loader's lock is free: other threads load, also while a constructor sleeps.
Thread.new { load_c("starting", language: "cc") }.join(60)&.value.class # => String
order = []
slow = Thread.new { try(-> { order << :slow; sleep 1; order << :slept; 1 }) }
Thread.pass until order.any?
load_c("first", "-DSECOND").class # => String
order # => [:slow, :slept]
slow.value # => true
