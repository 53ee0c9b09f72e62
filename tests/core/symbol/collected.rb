# Symbols that a program computes are freed when nothing refers to them.

def resident_kb = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
def count = Symbol.all_symbols.size
def wiped(depth = 50) = depth.zero? ? nil : wiped(depth - 1)

def churn(times)
  times.times { |i| "dynamic#{i}".to_sym; :"interpolated#{i}" }
  wiped
  GC.start
end

churn(50_000)
before, kb = count, resident_kb
churn(200_000)
count - before < 1000 # => true
resident_kb - kb < 20_000 # => true
