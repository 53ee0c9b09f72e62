# Arithmetic on very long integers ends when somebody interrupts it.
# timeout: 60
require "timeout"
ten = 10**2_000_000
other = 7**300_000
text = "7" * 3_000_000
def ended?(&work)
  t0 = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  Timeout.timeout(0.05) { loop(&work) }
rescue Timeout::Error
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - t0 < 2
end
ended? { 10**4_000_000 } # => true
ended? { ten * ten } # => true
ended? { ten / other } # => true
ended? { ten.to_s } # => true
ended? { text.to_i } # => true
ended? { Integer(text) } # => true
ended? { Integer.sqrt(ten) } # => true
(ten * other / other) == ten # => true
(ten + 1).to_s.size # => 2000001
("1" + "0" * 1_000_000).to_i == 10**1_000_000 # => true
