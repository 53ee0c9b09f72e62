/a.c/ # => /a.c/
/a\/b/ # => /a\/b/
%r{a/b} # => /a\/b/
/x#{1 + 1}y/i # => /x2y/i
/a/mix # => /a/mix
part = /b|c/i
/a#{part}d/ # => /a(?i-mx:b|c)d/
/(?<year>\d+)-(?<month>\d+)/ =~ "2026-11" # => 0
[year, month] # => ["2026", "11"]
