# Between two searches that cost much and two objects that are loaded other threads get their turns.
# timeout: 120
TEXT = ("x " * 120 + "\n") * 100
LONG = ENV["RUBELLITE_STRESS"] ? TEXT[0, 3000] : TEXT * 30
DUMP = Marshal.dump((1..(ENV["RUBELLITE_STRESS"] ? 2000 : 200_000)).map(&:to_s))
SLOW = /(?:x ?)*y|\n/
Rubellite::Lock.slice = 0.0005 if defined?(Rubellite)

def others_run
  count = 0
  done = false
  other = Thread.new { count += 1 until done }
  Thread.pass until count > 0
  before = count
  yield
  count > before
ensure
  done = true
  other.join
end

others_run { TEXT.scan(SLOW) } # => true
others_run { TEXT.gsub(SLOW, "z") } # => true
others_run { TEXT.split(SLOW) } # => true
others_run { LONG.chars } # => true
others_run { Marshal.load(DUMP) } # => true
# Comparisons that take long, in a list so short that its sorted runs are never many.
ROWS = Array.new(ENV["RUBELLITE_STRESS"] ? 50 : 500) { |i| [0] * 1000 << i * 7919 % 500 }
others_run { ROWS.sort } || ENV["RUBELLITE_STRESS"] == "gc" # => true
others_run { ROWS.sort_by { it } } || ENV["RUBELLITE_STRESS"] == "gc" # => true

# So do threads beside long work that is done in slices or outside the lock.
LARGE = (ENV["RUBELLITE_STRESS"] ? TEXT[0, 12_000] : TEXT * 30).tr("x", "é")
TABLE = (1..({ "gc" => 3000, "switch" => 30_000 }[ENV["RUBELLITE_STRESS"]] || 100_000)).to_h { |i| [i.to_s, [i]] }
PATTERNS = TABLE.keys.first(20_000)
others_run { LARGE.grapheme_clusters } # => true
others_run { (TEXT * 30).tr("x", "é").swapcase.casecmp?(TEXT * 30) } # => true
# With a collection at each allocation there are too few objects.
FEW = ENV["RUBELLITE_STRESS"] == "gc"
others_run { Marshal.dump(TABLE) } || FEW # => true
others_run { TABLE.dup.rehash } || FEW # => true
others_run { TABLE.dup.compare_by_identity } || FEW # => true
others_run { Regexp.union(PATTERNS) } || FEW # => true
others_run { eval("def never\n" + "a = [1, 'b', :c]\n" * (ENV["RUBELLITE_STRESS"] ? 9000 : 20_000) + "end") } # => true
