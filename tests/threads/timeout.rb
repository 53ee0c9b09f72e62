require "timeout"
Timeout.timeout(5) { :quick } # => :quick
Timeout.timeout(0.02) { sleep } # raises Timeout::Error: execution expired
Timeout.timeout(0.02) { loop { } } # raises Timeout::Error: execution expired
class Mine < StandardError; end
Timeout.timeout(0.02, Mine) { sleep } # raises Mine: execution expired
Timeout.timeout(0.02, Mine, "text") { sleep } # raises Mine: text
Timeout.timeout(nil) { 1 } # => 1
Timeout.timeout(0) { 2 } # => 2
log = []
(Timeout.timeout(0.02) { begin; sleep; ensure; log << :ensured; end } rescue $!.class) # => Timeout::Error
log # => [:ensured]
(Timeout.timeout(1) { Timeout.timeout(0.02) { sleep } } rescue $!.message) # => "execution expired"
Timeout::Error.superclass # => RuntimeError
r, w = IO.pipe
Timeout.timeout(0.02) { r.read } # raises Timeout::Error: execution expired
Timeout.timeout(0.02) { Thread::Queue.new.pop } # raises Timeout::Error: execution expired
Timeout.timeout(-1) { } # raises ArgumentError: Timeout sec must be a non-negative number
