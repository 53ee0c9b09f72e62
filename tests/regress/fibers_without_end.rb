# Fibers and enumerators that are never dropped take all the address space: an exception says so,
# and the program goes on.
# timeout: 300
RUBY = ENV["RUBY"] || RbConfig.ruby

def run(code)
  program =
    "kept = []\nbegin\n  loop { #{code} }\nrescue FiberError, ThreadError, NoMemoryError\n  many = kept.size\n" \
    "  kept = nil\n  puts many > 3\nend\n"
  IO.popen([RUBY, "-e", program, err: %i[child out], rlimit_as: 200 << 20], &:read).lines.last
end

run("fiber = Fiber.new { Fiber.yield }; fiber.resume; kept << fiber") # => "true\n"
run("list = [1, 2].each; list.next; kept << list") # => "true\n"
run("list = (1..).lazy.map { _1 }.eager.each; list.next; kept << list") # => "true\n"
run("list = [1, 2].each_slice(1); list.peek; kept << list") # => "true\n"
