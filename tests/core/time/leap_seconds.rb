# Where the zone of the process counts leap seconds, times have them: a zone of UTC with those of 1972 and 2008.
require "tempfile"

zone = [0].pack("C") + "UTC\0"
header = ->(leaps) { ["TZif", "2", 0, 0, leaps, 0, 1, 4].pack("a4a1x15N6") }
body = ->(leaps, format) { [0, 0].pack("NC") + zone + leaps.flat_map { |at, n| [at, n] }.pack(format * leaps.size) }
leaps = [[78796800, 1], [1230768001, 2]]
file = Tempfile.new("leaps")
file.binmode
file.write(header[2], body[leaps, "NN"], header[2], body[leaps, "q>N"], "\nUTC0\n")
file.close

plain = Time.utc(2009, 1, 1)
ENV["TZ"] = file.path
Time.utc(2008, 12, 31, 23, 59, 59).to_i # => 1230768000
leap = Time.utc(2008, 12, 31, 23, 59, 60)
leap # => 2008-12-31 23:59:60 UTC
leap.to_i # => 1230768001
[leap.sec, leap.min, leap.yday, leap.to_a[0, 6]] # => [60, 59, 366, [60, 59, 23, 31, 12, 2008]]
leap + 1 # => 2009-01-01 00:00:00 UTC
leap - Time.utc(1972, 6, 30, 23, 59, 60) # => 1151971201.0
Time.utc(2008, 12, 31, 24) # => 2009-01-01 00:00:00 UTC
Time.utc(2007, 12, 31, 23, 59, 60) # => 2008-01-01 00:00:00 UTC
Time.at(1230768001.5, in: "+01:00") # => 2009-01-01 00:59:60.5 +0100
Time.at(1230768002).localtime # => 2009-01-01 00:00:00 +0000
Time.local(2008, 12, 31, 23, 59, 60) # => 2008-12-31 23:59:60 +0000
Marshal.load(Marshal.dump(leap)) # => 2008-12-31 23:59:60 UTC
Time.utc(1970).to_i # => 0
Time.utc(2100).to_i # => 4102444802
ENV["TZ"] = "UTC"
Time.utc(2100).to_i # => 4102444800
Time.utc(2008, 12, 31, 23, 59, 60) == plain # => true
file.unlink
