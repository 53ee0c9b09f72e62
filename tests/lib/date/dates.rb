# Dates: constructors, arithmetic, comparison, text; values are CRuby 3.4's
require "date"

DateTime.new(2001,2,3.5,4) # raises Date::Error: invalid fraction
DateTime.new(2001,2,3.5) # => #<DateTime: 2001-02-03T12:00:00+00:00 ((2451944j,43200s,0n),+0s,2299161j)>
DateTime.new(2001,2,3,4.5,5) # raises Date::Error: invalid fraction
DateTime.new(2001,2,3,4,5,6.5) # => #<DateTime: 2001-02-03T04:05:06+00:00 ((2451944j,14706s,500000000n),+0s,2299161j)>
DateTime.new(2001,2,3,4,5,Rational(13,3),"+09:00") # => #<DateTime: 2001-02-03T04:05:04+09:00 ((2451943j,68704s,(1000000000/3)n),+32400s,2299161j)>
DateTime.new(2001,2,3,4,5,6.5, 2) # => #<DateTime: 2001-02-03T04:05:06+00:00 ((2451944j,14706s,500000000n),+0s,2299161j)>
DateTime.new(2001,2,3,24) # => #<DateTime: 2001-02-04T00:00:00+00:00 ((2451945j,0s,0n),+0s,2299161j)>
DateTime.new(2001,2,3,25) # raises Date::Error: invalid date
Date.new(2001,2,3.5) # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
Date.new(2001,2.7,3) # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
Date.new(2001.5,2,3) # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
Date.new("2001",2,3) # raises TypeError: invalid year (not numeric)
Date.new(2001,"2",3) # raises TypeError: invalid month (not numeric)
Date.new(2001,2,"3") # raises TypeError: invalid day (not numeric)
Date.new(2001,nil,3) # raises TypeError: invalid month (not numeric)
Date.new(2001,2,29) # raises Date::Error: invalid date
Date.jd("x") # raises TypeError: invalid jd (not numeric)
Date.ordinal(2001,"x") # raises TypeError: invalid yday (not numeric)
Date.commercial(2001,1,"x") # raises TypeError: invalid cwday (not numeric)
Date.commercial(2001,"1",1) # raises TypeError: invalid cweek (not numeric)
DateTime.new(2001,2,3,"4") # raises TypeError: invalid hour (not numeric)
DateTime.new(2001,2,3,4,"5") # raises TypeError: invalid minute (not numeric)
DateTime.new(2001,2,3,4,5,"6") # raises TypeError: invalid second (not numeric)
Date.new(2001,2,3)+"x" # raises TypeError: expected numeric
Date.new(2001,2,3)-"x" # raises TypeError: expected numeric
Date.new(2001,2,3)>>"x" # raises TypeError: String can't be coerced into Integer
Date.new(2001,2,3)>>1.5 # => #<Date: 2001-03-03 ((2451972j,0s,0n),+0s,2299161j)>
Date.new(2001,2,3)<=>"x" # => nil
Date.new(2001,2,3)==="x" # => nil
Date.new(2001,2,3)<1 # => false
Date.new(2001,2,3)<"x" # raises ArgumentError: comparison of Date with String failed
Date.new(2001,2,3)+0.5 # => #<Date: 2001-02-03 ((2451944j,43200s,0n),+0s,2299161j)>
Date.new(2001,2,3)+Rational(1,3) # => #<Date: 2001-02-03 ((2451944j,28800s,0n),+0s,2299161j)>
Date.new(2001,2,3)+Rational(1,7) # => #<Date: 2001-02-03 ((2451944j,12342s,(6000000000/7)n),+0s,2299161j)>
Date.new(2001,2,3)-Date.new(2001,1,1) # => (33/1)
Date.new(2001,2,3)-1 # => #<Date: 2001-02-02 ((2451943j,0s,0n),+0s,2299161j)>
Date.new(2001,2,3)+Object.new # raises TypeError: expected numeric
Date.new(2001,2,3).ajd # => (4903887/2)
Date.new(2001,2,3).amjd # => (51943/1)
(Date.new(2001,2,3)+Rational(1,7)).day_fraction # => (1/7)
Date.new(2001,2,3).day_fraction # => 0
DateTime.now.sec_fraction.class # => Rational
DateTime.new(2001,2,3).sec_fraction # => (0/1)
Date.new(2001,2,3).marshal_dump # => [0, 2451944, 0, 0, 0, 2299161.0]
DateTime.new(2001,2,3,4,5,Rational(13,3),"+09:00").marshal_dump # => [0, 2451943, 68704, (1000000000/3), 32400, 2299161.0]
Date.new(-4712,1,1).marshal_dump # => [0, 0, 0, 0, 0, 2299161.0]
Date.new(-5000000,1,1).marshal_dump # => [-9, 96500511, 0, 0, 0, 2299161.0]
Date.new(10**20,1,1) # => #<Date: 100000000000000000000-01-01 ((36524250000000001721060j,0s,0n),+0s,2299161j)>
Date.new(2001,2,3).marshal_load([1]) # raises TypeError: invalid size
Date.new(2001,2,3).marshal_load(3) # raises TypeError: expected an array
Date.valid_civil?(2001,2,-1) # => true
Date.valid_civil?("a",2,-1) # => false
Date.valid_jd?("a") # => false
Date.valid_jd?(1.5) # => true
Date.valid_jd?(nil) # => false
Date.new(2001,2,3).deconstruct_keys([:year,:zone]) # => {year: 2001}
Date.new(2001,2,3).deconstruct_keys(nil) # => {year: 2001, month: 2, day: 3, yday: 34, wday: 6}
DateTime.new(2001,2,3).deconstruct_keys(nil) # => {year: 2001, month: 2, day: 3, yday: 34, wday: 6, hour: 0, min: 0, sec: 0, sec_fraction: (0/1), zone: "+00:00"}
Date.new(2001,2,3).deconstruct_keys(1) # raises TypeError: wrong argument type Integer (expected Array or nil)
Date.new(2001,2,3).strftime("%Q|%+|%v|%Z|%z|%s|%c|%x|%10Y|%-d|%^a|%#p|%:z|%::z|%:::z|%L|%N|%3N|%E|%Ey|%Oy|%J|%1000Y").size # => 1185
Date.new(2001,2,3).strftime("%Q|%+|%v|%Z|%z|%s|%c|%x|%10Y|%-d|%^a|%#p|%:z|%::z|%:::z|%L|%N|%3N|%E|%Ey|%Oy|%J|%::::z|%10+|%010v|%-y|%e|%k|%l|%_m|%010A|%10n|%10%|%h|%^b") # => "981158400000|Sat Feb  3 00:00:00 +00:00 2001| 3-FEB-2001|+00:00|+0000|981158400|Sat Feb  3 00:00:00 2001|02/03/01|0000002001|3|SAT|am|+00:00|+00:00:00|+00|000|000000000|000|%E|01|01|%J|%::::z|Sat Feb  3 00:00:00 +00:00 2001| 3-FEB-2001|1| 3| 0|12| 2|00Saturday|         \n|         %|Feb|FEB"
Date.new(-1,2,3).strftime("%Y %C %y %G %g %F") # => "-0001 -1 99 -0001 99 -0001-02-03"
Date.new(12345,2,3).strftime("%Y %C %y %G %g %F") # => "12345 123 45 12345 45 12345-02-03"
Date.new(2001,2,3).strftime("%99999999999Y") # raises Errno::ERANGE: Numerical result out of range - %99999999999Y
Date.new(2001,2,3).strftime("%2000Y").size # => 2000
Date.new(2001,2,3).httpdate # => "Sat, 03 Feb 2001 00:00:00 GMT"
Date.new(2001,2,3).rfc2822 # => "Sat, 3 Feb 2001 00:00:00 +0000"
Date.new(2001,2,3).rfc3339 # => "2001-02-03T00:00:00+00:00"
Date.new(2001,2,3).jisx0301 # => "H13.02.03"
Date.new(2020,2,3).jisx0301 # => "R02.02.03"
Date.new(1868,2,3).jisx0301 # => "1868-02-03"
DateTime.new(2001,2,3,4,5,6.123456r).iso8601(4) # => "2001-02-03T04:05:06.1234+00:00"
DateTime.new(2001,2,3,4,5,6.123456r).jisx0301(4) # => "H13.02.03T04:05:06.1234+00:00"
DateTime.new(2001,2,3,4,5,6.123456r).to_s # => "2001-02-03T04:05:06+00:00"
DateTime.new(2001,2,3,4,5,6.123456r).to_time # => 2001-02-03 04:05:06.123456 +0000
DateTime.new(2001,2,3,4,5,6.123456r,"+9").to_date # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
Time.at(0,1.5,:usec).utc.to_datetime # => #<DateTime: 1970-01-01T00:00:00+00:00 ((2440588j,0s,1500n),+0s,2299161j)>
Time.at(0).utc.to_date # => #<Date: 1970-01-01 ((2440588j,0s,0n),+0s,2299161j)>
Date.new(2001,2,3).to_time # => 2001-02-03 00:00:00 +0000
Date.new(2001,2,3).step(Date.new(2001,2,5)).to_a.size # => 3
Date.new(2001,2,3).step(Date.new(2001,2,5),0){break} # => nil
Date.parse("xx") # raises Date::Error: invalid date
Date.parse(nil) # raises TypeError: no implicit conversion of nil into String
Date.parse(1) # raises TypeError: no implicit conversion of Integer into String
Date.parse("1"*200) # raises ArgumentError: string length (200) exceeds the limit 128
Date.parse("1"*200, limit:nil) # => #<Date: 1111-11-11 ((2127165j,0s,0n),+0s,2299161j)>
Date._parse("1"*200) # raises ArgumentError: string length (200) exceeds the limit 128
Date.strptime("xx") # raises Date::Error: invalid date
Date.strptime("xx","%Y %z") # raises Date::Error: invalid date
Date._strptime("2001-02-03x","%F") # => {year: 2001, mon: 2, mday: 3, leftover: "x"}
Date._iso8601(nil) # => {}
Date._iso8601(1) # raises TypeError: no implicit conversion of Integer into String
Date._rfc3339(:a) # raises TypeError: no implicit conversion of Symbol into String
Date.new(2001,2,3).infinite? # => false
Date.today.class # => Date
DateTime.today # raises NoMethodError: undefined method 'today' for class DateTime
Date.new.frozen? # => false
Date.new(2001,2,3).new_start(nil) # raises TypeError: no implicit conversion to float from nil
Date.new(2001,2,3).new_start("x") # raises TypeError: no implicit conversion to float from string
Date.new(2001,2,3,"x") # raises TypeError: no implicit conversion to float from string
Date.new(2001,2,3,5) # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
DateTime.new(2001,2,3).new_offset("+09:00") # => #<DateTime: 2001-02-03T09:00:00+09:00 ((2451944j,0s,0n),+32400s,2299161j)>
DateTime.new(2001,2,3).new_offset(Rational(1,3)) # => #<DateTime: 2001-02-03T08:00:00+08:00 ((2451944j,0s,0n),+28800s,2299161j)>
DateTime.new(2001,2,3).new_offset(0.3) # => #<DateTime: 2001-02-03T07:12:00+07:12 ((2451944j,0s,0n),+25920s,2299161j)>
Date.allocate # => #<Date: -4712-01-01 ((0j,0s,0n),+0s,2299161j)>
DateTime.allocate # => #<DateTime: -4712-01-01T00:00:00+00:00 ((0j,0s,0n),+0s,2299161j)>
DateTime.jd(2451944.5) # => #<DateTime: 2001-02-03T12:00:00+00:00 ((2451944j,43200s,0n),+0s,2299161j)>
DateTime.jd(2451944.5, 3) # raises Date::Error: invalid fraction
DateTime.ordinal(2001,34,4,5,6,"+7") # => #<DateTime: 2001-02-03T04:05:06+07:00 ((2451943j,75906s,0n),+25200s,2299161j)>
DateTime.commercial(2001,5,6,4,5,6,"+7") # => #<DateTime: 2001-02-03T04:05:06+07:00 ((2451943j,75906s,0n),+25200s,2299161j)>
Date.leap?(2000) # => true
Date.leap?("a") # raises TypeError: invalid year (not numeric)
Date.valid_ordinal?(2001,-366) # => false
Date.valid_commercial?(2001,53,1) # => false
Date.new(1582,10,15).prev_day # => #<Date: 1582-10-04 ((2299160j,0s,0n),+0s,2299161j)>
Date.new(1582,10,10) # raises Date::Error: invalid date
Date.new(2001,2,3) == 2451943.5 # => true
Date.new(2001,2,3) === 2451944 # => true
Date.new(2001,2,3) === DateTime.new(2001,2,3,12) # => true
Date.new(2001,2,3).eql? DateTime.new(2001,2,3) # => true
Date.new(2001,2,3) == DateTime.new(2001,2,3) # => true
