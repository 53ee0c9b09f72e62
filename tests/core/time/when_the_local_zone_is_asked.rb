# The local zone of now and of an instant is that of TZ when its fields are first asked;
# of local fields and after localtime it is known at once.
def zone(name)
  old = ENV["TZ"]
  ENV["TZ"] = name
  yield
ensure
  ENV["TZ"] = old
end

ENV["TZ"] = "UTC"
zone("America/New_York") { Time.at(1_700_000_000) }.utc_offset # => 0
zone("America/New_York") { Time.at(1_700_000_000).tap(&:hour) }.utc_offset # => -18000
zone("America/New_York") { Time.at(1_700_000_000).localtime }.hour # => 17
zone("America/New_York") { Time.at(1_700_000_000).getlocal }.zone # => "EST"
zone("America/New_York") { Time.local(2024, 7, 1) }.utc_offset # => -14400
zone("America/New_York") { Time.local(2024, 7, 1) }.dst? # => true

time = zone("Asia/Tokyo") { Time.at(1_700_000_000).tap(&:hour) }
copy = time.dup
[time.hour, copy.hour, copy.zone, time == copy, time.hash == copy.hash] # => [7, 7, "JST", true, true]
frozen = Time.at(3).freeze
frozen.localtime.equal?(frozen) # => true
frozen.utc # raises FrozenError
