# Dates: reading by a pattern; values are CRuby 3.4's
require "date"

Date._strptime("2001-02-03x", "%Y-%m-%d") # => {year: 2001, mon: 2, mday: 3, leftover: "x"}
Date._strptime("2001-02-03 04:05:06 +09:00", "%F %T %z") # => {year: 2001, mon: 2, mday: 3, hour: 4, min: 5, sec: 6, zone: "+09:00", offset: 32400}
Date._strptime("Sat 03 feb 99", "%a %d %b %y") # => {wday: 6, mday: 3, mon: 2, year: 1999}
Date._strptime("034 2001", "%j %Y") # => {yday: 34, year: 2001}
Date._strptime("2001-W05-6", "%G-W%V-%u") # => {cwyear: 2001, cweek: 5, cwday: 6}
Date._strptime("05 6 2001", "%U %w %Y") # => {wnum0: 5, wday: 6, year: 2001}
Date._strptime("-981158400", "%s") # => {seconds: -981158400}
Date._strptime("981158400123", "%Q") # => {seconds: (981158400123/1000)}
Date._strptime("11:30 pm", "%I:%M %p") # => {hour: 23, min: 30}
Date._strptime("040506789", "%H%M%S%N") # => {hour: 4, min: 5, sec: 6, sec_fraction: (789/1000)}
Date._strptime("1999", "%C%y") # => {year: 1999}
Date._strptime(" 3", "%e") # => {mday: 3}
Date._strptime("20010203", "%Y%m%d") # => {year: 2001, mon: 2, mday: 3}
Date._strptime("2001", "%EY") # => {year: 2001}
Date._strptime("+09:00", "%:z") # => {zone: "+09:00", offset: 32400}
Date._strptime("eastern daylight time", "%Z") # => {zone: "eastern daylight time", offset: -14400}
Date._strptime("%2001", "%%%Y") # => {year: 2001}
Date._strptime("Sat Feb  3 04:05:06 UTC 2001", "%+") # => {wday: 6, mon: 2, mday: 3, hour: 4, min: 5, sec: 6, zone: "UTC", offset: 0, year: 2001}
Date._strptime("02/03/01 04:05:06", "%x %X") # => {mon: 2, mday: 3, year: 2001, hour: 4, min: 5, sec: 6}
Date._strptime("%q", "%q") # => {}
Date._strptime("01-05", "%g-%V") # => {cwyear: 2001, cweek: 5}
Date._strptime("a.m.", "%P") # => {}
Date._strptime("x", "%Y") # => nil
Date._strptime("32", "%d") # => nil
Date._strptime("24:60", "%H:%M") # => nil
DateTime.strptime("2001-02-03 04:05:06 +09:00", "%F %T %z") # => #<DateTime: 2001-02-03T04:05:06+09:00 ((2451943j,68706s,0n),+32400s,2299161j)>
Date.strptime("2001-W05-6", "%G-W%V-%u") # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
Date.strptime("05 6 2001", "%U %w %Y") # => #<Date: 2001-02-10 ((2451951j,0s,0n),+0s,2299161j)>
DateTime.strptime("981158400123", "%Q") # => #<DateTime: 2001-02-03T00:00:00+00:00 ((2451944j,0s,123000000n),+0s,2299161j)>
Date.strptime("34", "%d") # raises Date::Error: invalid date
