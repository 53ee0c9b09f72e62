# Time.new of a String: what is accepted, and what is said of the rest.
Time.new("2000").month # => 1
Time.new("2020-12 UTC") # => 2020-12-01 00:00:00 UTC
Time.new("2020-12-25 +09:00") # => 2020-12-25 00:00:00 +0900
Time.new("12020-12-25 12:30:15Z").year # => 12020
Time.new("2021-12-25 00:00:00 +09:00", in: "-01:00") # => 2021-12-25 00:00:00 +0900
Time.new("2021-12-25 00:00:00", in: "-01:00") # => 2021-12-25 00:00:00 -0100
Time.new("2021-12-25 00:00:00.123456789876Z").subsec # => (123456789/1000000000)
Time.new("2021-12-25 00:00:00.123456789876Z", precision: nil).subsec # => (30864197469/250000000000)
Time.new("2021-12-25 00:00:00.123Z", precision: 2).subsec # => (3/25)
Time.new(nil) # raises TypeError: no implicit conversion of nil into Integer
Time.new("20") # raises ArgumentError: year must be 4 or more digits: 20
Time.new("2020-12-25") # raises ArgumentError: no time information
Time.new("2020-1225 12:30:15") # raises ArgumentError: two digits mon is expected after '-': -1225 12:30
Time.new("2020-12-25 000:56:17 +0900") # raises ArgumentError: two digits hour is expected:  000:56:17 
Time.new("2020-12-25 12-30-15") # raises ArgumentError: missing min part: 12-
Time.new("2020-12-25 00:56. +0900") # raises ArgumentError: fraction min is not supported: 00:56.
Time.new("2020-12-25 00:00:00.") # raises ArgumentError: subsecond expected after dot: 00:00:00.
Time.new("2020-12-25 24:00:01") # raises ArgumentError: sec out of range
Time.new("2020-12-25 00:00:00 +09:00 abc") # raises ArgumentError: can't parse at: abc
Time.new("2020-12-25  00:00:00") # raises ArgumentError: "+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: 00:00:00
Time.new("2020-12-25 00:00:00\v") # raises ArgumentError: can't parse: "2020-12-25 00:00:00\v"
