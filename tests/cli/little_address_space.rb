# The command starts in little address space, with threads and fibers.
RUBY = ENV["RUBY"] || RbConfig.ruby
CODE = "p 1; Thread.new { p 2 }.join; Fiber.new { p 3 }.resume; p [1, 2].each.next"

def run(megabytes) = IO.popen([RUBY, "-e", CODE, err: %i[child out], rlimit_as: megabytes << 20], &:read)

[100, 130, 150, 200, 300, 400, 800, 1500].reject { |megabytes| run(megabytes) == "1\n2\n3\n1\n" } # => []

# A program of some length needs little more.
LONG = "list = [\n" + "  { name: :x, text: \"a\#{1 + 2}\", list: [1, [2, 3]] },\n" * 300 + "]\nputs list.size\n"
IO.popen([RUBY, "-e", LONG, err: %i[child out], rlimit_as: 150 << 20], &:read) # => "300\n"
