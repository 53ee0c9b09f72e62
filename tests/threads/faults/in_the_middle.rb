# A kill, an exception and a timeout end what a thread is in the midst of:
# blocks of native methods, clauses of exceptions, fibers.
# timeout: 120
require "monitor"
require "timeout"
require "zlib"
def wait(begun)
  begun << true
  sleep
end
MIDST = {
  ensure: ->(begun, log) { begin; 1; ensure; wait(begun); end },
  rescue: ->(begun, log) { begin; raise "x"; rescue; wait(begun); end },
  ensure_in_rescue: ->(begun, log) { begin; raise "x"; rescue; begin; wait(begun); ensure; log << :inner; end; end },
  sort: ->(begun, log) { [3, 2, 1].sort { wait(begun) } },
  hash_default: ->(begun, log) { Hash.new { wait(begun) }[1] },
  method_missing: ->(begun, log) {
    Object.new.tap { |o| o.define_singleton_method(:method_missing) { |*| wait(begun) } }.missing
  },
  inject: ->(begun, log) { [1, 2].inject { wait(begun) } },
  gsub: ->(begun, log) { "abc".gsub(/b/) { wait(begun) } },
  fiber: ->(begun, log) { Fiber.new { begin; wait(begun); ensure; log << :inner; end }.resume },
  enumerator: ->(begun, log) { Enumerator.new { begin; wait(begun); ensure; log << :inner; end }.next },
  lazy: ->(begun, log) { (1..).lazy.map { wait(begun) }.first },
  timeout: ->(begun, log) { Timeout.timeout(1000) { wait(begun) } },
  monitor_twice: ->(begun, log) {
    m = Monitor.new
    c = m.new_cond
    m.synchronize { m.synchronize { begun << true; c.wait } }
  },
  subprocess: ->(begun, log) { begun << true; system("sleep 20") },
  backticks: ->(begun, log) { begun << true; `sleep 20` },
  flock: ->(begun, log) {
    File.open(__FILE__) do |a|
      File.open(__FILE__) { |b| a.flock(File::LOCK_EX); begun << true; b.flock(File::LOCK_EX) }
    end
  },
  select: ->(begun, log) { begun << true; IO.select(nil, nil, nil, nil) },
  deflate: ->(begun, log) { begun << true; data = "ab" * 2_000_000; loop { Zlib.deflate(data) } },
  native_sort: ->(begun, log) {
    begun << true
    list = Array.new(100_000) { |i| (i * 7919) % 100_003 }
    loop { list.sort }
  },
  permutation: ->(begun, log) { begun << true; (1..20).to_a.permutation.to_a },
  combination: ->(begun, log) { begun << true; (1..60).to_a.combination(8).count { false } },
  upto: ->(begun, log) { begun << true; 1.upto(Float::INFINITY) { } },
  cycle: ->(begun, log) { begun << true; [1].cycle { } },
  marshal: ->(begun, log) { begun << true; list = (1..10_000).to_a; loop { Marshal.load(Marshal.dump(list)) } },
}
def outcome(work)
  log = []
  begun = Thread::Queue.new
  thread = Thread.new do
    Thread.current.report_on_exception = false
    work.call(begun, log)
    log << :went_on
  ensure
    log << :ensure
  end
  begun.pop
  sleep 0.005
  yield thread
  ended = thread.join(20) rescue $!.class
  [ended.equal?(thread) || ended, log - [:inner]]
end
MIDST.map { |name, work| [name, outcome(work, &:kill)] }.reject { |_, end_of| end_of == [true, [:ensure]] } # => []
MIDST.map { |name, work| [name, outcome(work) { |thread| thread.raise(IOError, "now") }] }.reject { |_, end_of| end_of == [IOError, [:ensure]] } # => []
def timed(work)
  Timeout.timeout(0.01) { work.call(Thread::Queue.new, []) }
  :went_on
rescue Timeout::Error
  :ended
end
MIDST.map { |name, work| [name, timed(work)] }.reject { |_, end_of| end_of == :ended } # => []

# An ensure clause that leaves by break, next or throw goes on as if nothing had been sent.
LEAVING = {
  break: ->(begun) { [1].each { begin; wait(begun); ensure; break; end } },
  next: ->(begun) { [1].each { begin; wait(begun); ensure; next; end } },
  throw: ->(begun) { catch(:out) { begin; wait(begun); ensure; throw :out; end } },
}
def left(work)
  begun = Thread::Queue.new
  thread = Thread.new { work.call(begun); :went_on }
  begun.pop
  Thread.pass until thread.stop?
  yield thread
  thread.value
end
LEAVING.transform_values { |work| left(work, &:kill) } # => {break: :went_on, next: :went_on, throw: :went_on}
LEAVING.transform_values { |work| left(work) { |thread| thread.raise("now") } } # => {break: :went_on, next: :went_on, throw: :went_on}
