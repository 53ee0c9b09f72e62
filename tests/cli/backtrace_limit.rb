require "rbconfig"
def limited(limit, program)
  IO.popen([RbConfig.ruby, "--disable=gems", "--backtrace-limit=#{limit}", "-e", program, err: [:child, :out]], &:read)
end
limited(2, "print Thread::Backtrace.limit") # => "2"
limited(-1, "print Thread::Backtrace.limit") # => "-1"
DEEP = "def a(n) = n == 0 ? raise('x') : a(n - 1)\na(5)"
limited(2, DEEP) # => "-e:1:in 'Object#a': x (RuntimeError)\n\tfrom -e:1:in 'Object#a'\n\tfrom -e:1:in 'Object#a'\n\t ... 4 levels...\n"
limited(5, DEEP).lines.size # => 7
limited(4, DEEP).lines.last # => "\t ... 2 levels...\n"
limited(0, DEEP) # => "-e:1:in 'Object#a': x (RuntimeError)\n\t ... 6 levels...\n"
limited(2, "def a(n) = n == 0 ? raise('x') : a(n - 1)\nbegin; a(6); rescue => e; puts e.full_message(highlight: false, order: :bottom); end").lines[2..] # => ["\t6: from -e:1:in 'Object#a'\n", "\t ... 5 levels...\n", "-e:1:in 'Object#a': x (RuntimeError)\n"]

# The last one counts, and the command line's above that of RUBYOPT.
def limit(*words, options: nil)
  IO.popen([{ "RUBYOPT" => options }, RbConfig.ruby, "--disable=gems", *words, "-e", "p Thread::Backtrace.limit",
            err: [:child, :out]], &:read)
end
limit(options: "--backtrace-limit=5 --backtrace-limit=3") # => "3\n"
limit("--backtrace-limit=-1", options: "--backtrace-limit=5") # => "-1\n"
limit("--backtrace-limit=3", "--backtrace-limit=1", options: "--backtrace-limit=5") # => "1\n"
limit("--backtrace-limit=#{2**63 - 1}") # => "9223372036854775807\n"
