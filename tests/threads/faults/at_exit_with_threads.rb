# Exceptions in at_exit while threads live: each handler runs, the threads are killed afterwards and run their ensure
# clauses.
require "rbconfig"
def child(program)
  text = IO.popen([RbConfig.ruby, "--disable=gems", "-e", program, err: [:child, :out]], &:read)
  [text.gsub(/^-e:\d+:in /, ""), $?.exitstatus]
end
child(<<~'RUBY') # => ["second\n'block in <main>': first (RuntimeError)\nended\n", 1]
  $stdout.sync = true
  ready = Thread::Queue.new
  Thread.new { begin; ready << 1; sleep; ensure; puts "ended"; end }
  ready.pop
  at_exit { raise "first" }
  at_exit { puts "second" }
RUBY
child(<<~'RUBY') # => ["ended\n", 3]
  $stdout.sync = true
  ready = Thread::Queue.new
  Thread.new { begin; ready << 1; loop { }; ensure; puts "ended"; end }
  ready.pop
  at_exit { exit 3 }
RUBY
child(<<~'RUBY') # => ["from a thread\n", 0]
  $stdout.sync = true
  at_exit { Thread.new { puts "from a thread" }.join }
RUBY
child(<<~'RUBY') # => ["1\n2\n", 4]
  $stdout.sync = true
  at_exit { puts 2 }
  at_exit { puts 1 }
  Thread.new { exit 4 }.join
RUBY
