# Code that nobody keeps is garbage like any other: the collector hears of all of it, of methods and blocks that never
# ran too.

text = "if nil\n" + (1..150).map { |i| "def code_#{i}(a, b = #{i}) = [a, b].each { |x| puts x, #{i} }\n" }.join +
  "end\n"
collections = GC.count
100.times { eval text }
GC.count > collections # => true

resident = -> { File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i }
before = resident.()
200.times { eval text }
resident.() - before < 20_000 # => true

# A method outlives the script that it stands in; the blocks in it are made later.
kept = eval("def kept_by_nobody = 1\ndef kept(a) = a.map { |x| -> { x + 1 } }\nmethod(:kept)")
20.times { eval text }
GC.start
kept.call([1, 2]).map(&:call) # => [2, 3]

# So are regular expressions.
before = resident.()
3_000.times { |i| Regexp.new("[\\p{L}&&[^\\p{Lu}]]+#{i}") }
resident.() - before < 30_000 # => true
