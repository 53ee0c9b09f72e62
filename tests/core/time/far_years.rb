# Years have no limit. The calendar repeats after 400 of them.
far = Time.utc(2**70, 3, 4, 5, 6, 7.5r)
far # => 1180591620717411303424-03-04 05:06:07.5 UTC
far.year # => 1180591620717411303424
far.to_a # => [7, 6, 5, 4, 3, 1180591620717411303424, 4, 64, false, "UTC"]
far.to_i # => 37255873106581554004246818367
far.to_r # => (74511746213163108008493636735/2)
[far.usec, far.subsec, far.yday] # => [500000, (1/2), 64]
far + 1 # => 1180591620717411303424-03-04 05:06:08.5 UTC
far - 2**90 # => 1141362862525385017903-12-23 23:29:03.5 UTC
far - Time.utc(2000) # => 3.7255873106581554e+28
[far <=> far + 1, far <=> Time.utc(2000), Time.utc(-2**70) <=> Time.utc(-2**71)] # => [-1, 1, 1]
[far == far + 0, far.eql?(far + 0), far.hash == (far + 0).hash] # => [true, true, true]
far.round # => 1180591620717411303424-03-04 05:06:08 UTC
far.strftime("%Y %C %y %G %g %V %s %F %j %_30Y") # => "1180591620717411303424 11805916207174113034 24 1180591620717411303424 24 10 37255873106581554004246818367 1180591620717411303424-03-04 064         1180591620717411303424"
far.xmlschema(3) # => "1180591620717411303424-03-04T05:06:07.500Z"
Marshal.load(Marshal.dump(far)) # => 1180591620717411303424-03-04 05:06:07.5 UTC
Marshal.load(Marshal.dump(Time.utc(-2**70))) # => -1180591620717411303424-01-01 00:00:00 UTC
Time.at(2**100, in: "+09:00") # => 40170248388634916374650-11-02 01:36:16 +0900
Time.new("#{2**70}-01-02 03:04:05Z") # => 1180591620717411303424-01-02 03:04:05 UTC
Time.new("-#{2**70}-01-02 03:04:05Z") # => -1180591620717411303424-01-02 03:04:05 UTC
Time.utc(10**30, 12, 31, 23, 59, 59) + 1 # => 1000000000000000000000000000001-01-01 00:00:00 UTC
# No sum of near instants is too far.
time = Time.at(2**86, in: "Z")
3000.times { time += 2**86 }
time # => 7357843958391930179851-10-15 06:41:04 UTC
# What is no year stays in its bounds.
Time.new(2000, 1, 1, 0, 0, 0, 2**100) # raises ArgumentError: utc_offset out of range
Time.new(2000, 1, 1, 0, 0, 2**100) # raises RangeError: bignum too big to convert into 'long'
Time.utc(2000, 1, 1, 0, 0, 0, 2**150) # raises ArgumentError: subsecx out of range
# Zones hold on as their last rule says; before all rules it is the first offset.
ENV["TZ"] = "America/New_York"
Time.new(2**64, 1).zone # => "EST"
Time.new(2**64, 8).zone # => "EDT"
Time.local(2**64, 8, 1, 12) # => 18446744073709551616-08-01 12:00:00 -0400
Time.local(2**60, 7) # => 1152921504606846976-07-01 00:00:00 -0400
Time.new(-2**64).zone # => "LMT"
# Objects that are zones see them, too.
zone = Class.new { def utc_to_local(t) = t + 3600; def local_to_utc(t) = t - 3600 }.new
Time.new(2**70, 1, 1, 0, 0, 0, zone) # => 1180591620717411303424-01-01 00:00:00 +0100
Time.utc(2**70, 12, 31, 23, 30).localtime(zone) # => 1180591620717411303425-01-01 00:30:00 +0100
