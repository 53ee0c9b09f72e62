# Time#xmlschema with digits of the second, in zones east and west, and in years that have not four digits.
Time.at(0, 123_456_789, :nsec, in: "-03:30").xmlschema(3) # => "1969-12-31T20:30:00.123-03:30"
Time.at(0, 5, :nsec).utc.xmlschema(9) # => "1970-01-01T00:00:00.000000005Z"
Time.at(0, 5, :nsec).utc.xmlschema(12) # => "1970-01-01T00:00:00.000000005000Z"
Time.at(-1, 5, :nsec).utc.xmlschema(1) # => "1969-12-31T23:59:59.0Z"
Time.new(9999, 12, 31, 23, 59, 59, "+05:45").xmlschema # => "9999-12-31T23:59:59+05:45"
Time.new(5, 3, 4, 0, 0, 0, "+00:00").iso8601 # => "0005-03-04T00:00:00+00:00"
Time.new(12345, 1, 1, 0, 0, 0, "+00:00").iso8601 # => "12345-01-01T00:00:00+00:00"
