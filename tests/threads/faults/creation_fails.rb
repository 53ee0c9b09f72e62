# The system has no memory for another thread: ThreadError, and nothing of the thread is left; what runs goes on.
require "rbconfig"
def child(program) = IO.popen([RbConfig.ruby, "--disable=gems", "-e", program, err: [:child, :out]], &:read)
answer = child(<<~'RUBY')
  Thread.report_on_exception = false
  Thread.new { }.join
  # With any limit the runtime gives back what it has only set aside.
  Process.setrlimit(:AS, 1 << 40)
  size = File.read("/proc/self/status")[/VmSize:\s+(\d+)/, 1].to_i * 1024
  Process.setrlimit(:AS, size + (64 << 20))
  threads, errors = [], []
  200.times do
    threads << Thread.new { sleep }
  rescue ThreadError => error
    errors << error
  end
  p errors.size > 0
  puts errors.map(&:message).uniq
  p Thread.list.size == threads.size + 1
  threads.each(&:kill).each(&:join)
  p Thread.list.size
  p Thread.new { :again }.value
  p ObjectSpace.each_object(Thread).count(&:alive?)
RUBY
answer.lines.map(&:chomp) # => ["true", "can't create Thread: Resource temporarily unavailable", "true", "1", ":again", "1"]
