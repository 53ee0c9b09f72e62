# Costs of single calls of built-in methods and of forms that leave the fast paths, in nanoseconds, the loop included:
# the minimum of several rounds.
require "date"
require "securerandom"
$VERBOSE = nil
ROUNDS = 5
TIMES = 100_000

def report(name, times = TIMES)
  best = ROUNDS.times.map do
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
    yield times
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - start
  end.min
  puts format("%.1f %s", best / times.to_f, name)
end

class Missing
  def method_missing(name, *args) = args
  def respond_to_missing?(*) = true
end

class Deep
  100.times { include Module.new }
end

module Room
end

def one(a) = a
missing, ten, many = Missing.new, (1..10).to_a, (1..200).to_a
report("method_missing with 10 splatted") { |n| i = 0; while i < n; missing.x(*ten); i += 1; end }
report("method_missing with 200 splatted", 10_000) { |n| i = 0; while i < n; missing.x(*many); i += 1; end }
report("send with a splat") { |n| list = [1]; i = 0; while i < n; send(:one, *list); i += 1; end }
first, second, deep = Object.new, Object.new, Deep.new
report("== of objects") { |n| i = 0; while i < n; first == second; i += 1; end }
report("!= of objects") { |n| i = 0; while i < n; first != second; i += 1; end }
report("! of an object") { |n| i = 0; while i < n; !first; i += 1; end }
report("Class#=== of an object with 100 modules") do |n|
  i = 0
  while i < n; Deep === deep; Object === deep; i += 1; end
end
report("begin and ensure, twice") { |n| i = 0; while i < n; begin; begin; ensure; end; ensure; end; i += 1; end }
report("begin and rescue") { |n| i = 0; while i < n; begin; rescue; end; i += 1; end }
report("case of four symbols") do |n|
  i = 0
  while i < n; case :d when :a then 1 when :b then 2 when :c then 3 when :d then 4 end; i += 1; end
end
report("const_set of one that is there") { |n| i = 0; while i < n; Room.const_set(:X, 1); i += 1; end }
wide = "\u{e9}" * 16_384
report("valid_encoding? of 32 KB of UTF-8", 1000) do |n|
  i = 0
  while i < n; wide.b.force_encoding("UTF-8").valid_encoding?; i += 1; end
end
fiber = Fiber.new { loop { Fiber.yield } }
report("Fiber#resume and yield") { |n| i = 0; while i < n; fiber.resume; i += 1; end }
time = Time.at(1_700_000_000, 123_456)
report("Time#xmlschema") { |n| i = 0; while i < n; time.xmlschema; i += 1; end }
report("Time#xmlschema(6)") { |n| i = 0; while i < n; time.xmlschema(6); i += 1; end }
report("Time.now") { |n| i = 0; while i < n; Time.now; i += 1; end }
report("SecureRandom.hex", 10_000) { |n| i = 0; while i < n; SecureRandom.hex; i += 1; end }
digits = { 100 => 10**100 / 7, 300 => 10**300 / 7, 1000 => 10**1000 / 7, 2000 => 10**2000 / 7 }
digits.each do |count, number|
  report("Integer#to_s of #{count} digits", 1000) { |n| i = 0; while i < n; number.to_s; i += 1; end }
end
report("SecureRandom.random_number", 20_000) { |n| i = 0; while i < n; SecureRandom.random_number(100); i += 1; end }
report("Date.parse", 2000) { |n| i = 0; while i < n; Date.parse("2024-05-06"); i += 1; end }
report("Range#overlap? of Strings") { |n| a = "a".."d"; b = "c".."f"; i = 0; while i < n; a.overlap?(b); i += 1; end }
report("Float of no number, exception: false") { |n| i = 0; while i < n; Float("x1.5", exception: false); i += 1; end }
report("Array#shuffle of 100", 5000) { |n| list = (1..100).to_a; i = 0; while i < n; list.shuffle; i += 1; end }
report("Array#sample") { |n| list = (1..100).to_a; i = 0; while i < n; list.sample; i += 1; end }
report("String#dup") { |n| text = "abcdefgh"; i = 0; while i < n; text.dup; i += 1; end }
report("Array#dup") { |n| list = [1, 2, 3]; i = 0; while i < n; list.dup; i += 1; end }
report("Time.at") { |n| i = 0; while i < n; Time.at(1_700_000_000); i += 1; end }
report("Time.at and its year") { |n| i = 0; while i < n; Time.at(1_700_000_000).year; i += 1; end }
report("then without a block") { |n| i = 0; while i < n; i.then; i += 1; end }
report("each_with_index.map of 10", 10_000) do |n|
  list = (1..10).to_a
  i = 0
  while i < n; list.each_with_index.map { |x, at| at }; i += 1; end
end
report("Enumerator#next") { |n| enum = [1, 2, 3].cycle; i = 0; while i < n; enum.next; i += 1; end }
