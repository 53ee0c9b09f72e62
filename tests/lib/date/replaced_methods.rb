# What a program has made of Date's and Time's methods (a gem that stops the clock does) is not asked by other methods.
require "date"
class << Date
  alias_method :real_today, :today
  def strptime(*) = raise("replaced")
  def parse(*) = raise("replaced")
  def iso8601(*) = raise("replaced")
end
class << Time
  alias_method :real_now, :now
  def now = at(0).utc
end
DateTime.strptime("20140209T162845", "%Y%m%dT%H%M%S").to_s # => "2014-02-09T16:28:45+00:00"
DateTime.parse("2014-02-09 16:28").to_s # => "2014-02-09T16:28:00+00:00"
DateTime.iso8601("2014-02-09T16:28:45Z").to_s # => "2014-02-09T16:28:45+00:00"
DateTime.rfc3339("2014-02-09T16:28:45Z").hour # => 16
Date._strptime("2014", "%Y") # => {year: 2014}
DateTime._strptime("2014-02-09T16:28:45Z")[:min] # => 28
[Time.real_now.to_date, (Time.real_now - 60).to_date].include?(Date.real_today) # => true
(DateTime.now.year - Time.real_now.year).abs < 2 # => true
Date.strptime("2014", "%Y") # raises RuntimeError: replaced
