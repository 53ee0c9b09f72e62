# The digits of a long number are counted on, past what a word holds.
require "json"

long = "-211111111111111111111111111000000000000000000000000000000000000000000000000000000000000000"
JSON.parse(long) # => -211111111111111111111111111000000000000000000000000000000000000000000000000000000000000000
begin
  JSON.parse("#{long}p")
rescue JSON::ParserError => error
  error.class # => JSON::ParserError
end
