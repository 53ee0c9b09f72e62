t = Time.utc(2026, 11, 20, 16, 5, 9.5)
t # => 2026-11-20 16:05:09.5 UTC
t.inspect # => "2026-11-20 16:05:09.5 UTC"
t.year # => 2026
t.month # => 11
t.day # => 20
t.hour # => 16
t.min # => 5
t.sec # => 9
t.usec # => 500000
t.nsec # => 500000000
t.subsec # => (1/2)
t.wday # => 5
t.yday # => 324
t.zone # => "UTC"
t.utc? # => true
t.to_i # => 1795190709
t.to_f # => 1795190709.5
t.to_r # => (3590381419/2)
t + 60 # => 2026-11-20 16:06:09.5 UTC
t - 60 # => 2026-11-20 16:04:09.5 UTC
t - Time.utc(2026, 11, 20) # => 57909.5
t <=> t + 1 # => -1
t == t.dup # => true
t.round # => 2026-11-20 16:05:10 UTC
t.strftime("%Y-%m-%d %H:%M:%S.%L %z %A %j %-d %e %I %p %y %b %% %s %N %3N %U %C %F %T %D %R %u %w %G-W%V") # => "2026-11-20 16:05:09.500 +0000 Friday 324 20 20 04 PM 26 Nov % 1795190709 500000000 500 46 20 2026-11-20 16:05:09 11/20/26 16:05 5 5 2026-W47"
t.strftime("%10Y|%-H|%^a|%010d|%:z|%::z") # => "0000002026|16|FRI|0000000020|+00:00|+00:00:00"
t.to_a # => [9, 5, 16, 20, 11, 2026, 5, 324, false, "UTC"]
t.getlocal("+09:00") # => 2026-11-21 01:05:09.5 +0900
t.getlocal("+09:00").utc_offset # => 32400
t.localtime("-03:30").to_s # => "2026-11-20 12:35:09 -0330"
Time.at(0).utc # => 1970-01-01 00:00:00 UTC
Time.at(1.25).utc.subsec # => (1/4)
Time.at(0, 500, :millisecond).utc.inspect # => "1970-01-01 00:00:00.5 UTC"
Time.at(0, in: "+01:00").to_s # => "1970-01-01 01:00:00 +0100"
Time.new(2026, 1, 31, 0, 0, 0, "+02:00") # => 2026-01-31 00:00:00 +0200
Time.new(2026, in: "Z").to_s # => "2026-01-01 00:00:00 UTC"
Time.new("2026-11-20 01:02:03 +05:30").inspect # => "2026-11-20 01:02:03 +0530"
Time.utc(2000, "jan", 1) # => 2000-01-01 00:00:00 UTC
Time.gm(2000) # => 2000-01-01 00:00:00 UTC
t.monday? # => false
t.friday? # => true
t.hash == t.dup.hash # => true
t.deconstruct_keys([:year, :month]) # => {year: 2026, month: 11}
t.ceil(0) # => 2026-11-20 12:35:10 -0330
t.floor(0) # => 2026-11-20 12:35:09 -0330
Time.utc(2024, 2, 29) + 86_400 # => 2024-03-01 00:00:00 UTC
Time.utc(1969, 12, 31, 23, 59, 59).to_i # => -1
Time.utc(9999, 12, 31).to_i # => 253402214400
Time.utc(2026, 13) # raises ArgumentError: mon out of range
Time.utc(2026, 1, 32) # raises ArgumentError: argument out of range
Time.new("nonsense") # raises ArgumentError: can't parse: "nonsense"
t + t # raises TypeError: time + time?
(Time.now - Time.now).abs < 1 # => true
Time.now.utc_offset.class # => Integer
Marshal.load(Marshal.dump(t)) == t # => true
t.xmlschema # => "2026-11-20T12:35:09-03:30"
t.iso8601(3) # => "2026-11-20T12:35:09.500-03:30"
