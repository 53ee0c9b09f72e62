# Offsets that are no whole number of seconds.
half = Time.new(2000, 1, 1, 0, 0, 0, Rational(5, 2))
half.utc_offset # => (5/2)
half.inspect # => "2000-01-01 00:00:00.5 +000003"
half.to_s # => "2000-01-01 00:00:00 +0000"
half.to_r # => (1893369595/2)
(half + 1).utc_offset # => (5/2)
half.sec # => 0
Time.at(0, in: Rational(-1, 3)).sec # => 59
Time.at(0, in: Rational(-1, 3)).utc_offset # => (-1/3)
Time.at(0, in: -3600.5).strftime("%z %:z %::z") # => "-0100 -01:00 -01:00:01"
Time.at(0, in: -3600.25).strftime("%::z") # => "-01:00:00"
Time.at(0, in: 86399.5).strftime("%z") # => "+2400"
Time.at(0, in: 86400) # raises ArgumentError: utc_offset out of range
Marshal.load(Marshal.dump(Time.at(0, in: 0.5))).utc_offset # => (1/2)
number = Class.new(Numeric) { def to_r = 3r / 2; def to_int = 1 }.new
Time.at(0, in: number).utc_offset # => (3/2)

# %z: blanks, zeros, and the minus of an unknown offset.
utc = Time.utc(2000)
utc.strftime("%z %-z %-:z") # => "+0000 -0000 -00:00"
utc.strftime("%_10z|%010z|%-_10:z") # => "      +000|+000000000|     -0:00"
Time.at(0, in: "+00:00").strftime("%-z") # => "+0000"
Time.at(0, in: "+12:34:56").to_s # => "1970-01-01 12:34:56 +1234"
Time.at(0, in: "+12:34:56").inspect # => "1970-01-01 12:34:56 +123456"

# Zones by name are asked of the class.
class Zoned < Time
  Zone = Struct.new(:name) do
    def utc_to_local(time) = time + 3600
    def local_to_utc(time) = time - 3600
  end

  def self.find_timezone(name) = Zone.new(name)
end
Zoned.new(2000, 1, 1, 0, 0, 0, "Somewhere").zone.name # => "Somewhere"
Zoned.at(0, in: "Somewhere").hour # => 1
Zoned.at(0).getlocal("Elsewhere").zone.name # => "Elsewhere"
Marshal.load(Marshal.dump(Zoned.at(0, in: "Somewhere"))).zone.name # => "Somewhere"
Time.at(0, in: "Somewhere") # raises ArgumentError: "+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: Somewhere
Time.at(Time.at(0), 5) # raises TypeError: can't convert Time into an exact number
