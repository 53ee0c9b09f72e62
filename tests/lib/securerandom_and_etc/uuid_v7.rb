require "securerandom"
text = SecureRandom.uuid_v7
text.match?(/\A\h{8}-\h{4}-7\h{3}-[89ab]\h{3}-\h{12}\z/) # => true
now = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
(now - text.delete("-")[0, 12].hex).between?(0, 10_000) # => true
fine = Array.new(50) { SecureRandom.uuid_v7(extra_timestamp_bits: 12)[0, 18] }
fine == fine.sort # => true
SecureRandom.uuid_v7(extra_timestamp_bits: 13) # raises ArgumentError: extra_timestamp_bits must be in 0..12
SecureRandom.uuid_v4.match?(/\A\h{8}-\h{4}-4\h{3}-[89ab]\h{3}-\h{12}\z/) # => true
SecureRandom.alphanumeric(5, chars: %w[x y]).match?(/\A[xy]{5}\z/) # => true
