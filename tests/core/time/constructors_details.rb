# Names of UTC, times that a local clock shows twice, and what stands behind the seconds.
%w[utc Utc -0000 +0000 -00:00:00 -00 +00].map { |zone| Time.gm(2000).getlocal(zone).utc? } # => [true, true, true, false, true, true, false]
ENV["TZ"] = "America/Los_Angeles"
Time.new(2007, 11, 4, 1, 30, 0, :dst) # => 2007-11-04 01:30:00 -0700
Time.new(2007, 11, 4, 1, 30, 0, :std) # => 2007-11-04 01:30:00 -0800
Time.new(2007, 11, 4, 1, 30, 0, in: :std) # => 2007-11-04 01:30:00 -0800
Time.local(0, 30, 1, 4, 11, 2007, nil, nil, true, nil) # => 2007-11-04 01:30:00 -0700
Time.local(0, 30, 1, 4, 11, 2007, nil, nil, false, nil) # => 2007-11-04 01:30:00 -0800
Time.new(2007, 11, 4, 1, 30, 0, :foo) # raises TypeError: can't convert Symbol into an exact number
Time.at(0, in: :dst) # raises TypeError: can't convert Symbol into an exact number
ENV["TZ"] = "America/Managua"
Time.local(59, 59, 23, 23, 9, 1992, nil, nil, true, nil) # => 1992-09-23 23:59:59 -0500
Time.local(59, 59, 23, 23, 9, 1992, nil, nil, false, nil) # => 1992-09-23 23:59:59 -0600
Time.gm(2000, 1, 1, 0, 0, "0", :foo, :foo) # => 2000-01-01 00:00:00 UTC
Time.gm(2000).send(:initialize, 2013, 3, 14) # raises TypeError: already initialized Time
Time.gm(2000).send(:initialize_copy, Time.now) # raises TypeError: already initialized Time

# Flags stand before the width, and colons right before the z.
Time.gm(2000).strftime("%4^p|%:0z|%:10z|%-:z|%:-z|%^10p|%_10:z|%::10z|%05d") # => "%4^p|%:0z|%:10z|-00:00|%:-z|        AM|     +0:00|%::10z|00001"
