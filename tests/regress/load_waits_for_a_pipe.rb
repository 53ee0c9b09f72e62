# A wait for who writes a pipe that is loaded ends when its thread is interrupted.
require "tmpdir"

Dir.mktmpdir do |dir|
  path = File.join(dir, "pipe.rb")
  File.mkfifo(path)
  3.times do
    waiter = Thread.new { load(path) }
    waiter.report_on_exception = false
    Thread.pass until waiter.stop?
    waiter.raise(IOError, "enough")
    (waiter.value rescue $!.message) # => "enough"
  end
  killed = Thread.new { load(path) }
  Thread.pass until killed.stop?
  killed.kill.join(10).equal?(killed) # => true
  loading = Thread.new { load(path) }
  Thread.pass until loading.stop?
  File.open(path, "w") do |pipe|
    pipe.write("$loaded = [")
    pipe.flush
    sleep 0.05
    pipe.write("1]\n")
  end
  loading.value # => true
  $loaded # => [1]
end
