# Ruby 1.8 wrote a Rational or Complex as an object with variables.
half = "\x04\b[\ao:\rRational\a:\x0F@numeratori\x06:\x11@denominatori\a@\x06"
Marshal.load(half) # => [(1/2), (1/2)]
Marshal.load(half)[0].frozen? # => true
Marshal.load("\x04\bo:\fComplex\a:\n@reali\x0b:\v@imagei\x07") # => (6+2i)
Marshal.load("\x04\bo:\rRational\x06:\x0F@numeratori\x07") # raises TypeError: not an integer
Marshal.load("\x04\bo:\rRational\a:\x0F@numeratori\x06:\x11@denominatori\x00") # raises ZeroDivisionError: divided by 0
require "date"
old = "\x04\bu:\tDateP\x04\b[\bo:\rRational\a:\x0F@numeratori\x03\xCF\xD3J:\x11@denominatori\ai\x00" \
      "o:\x13Date::Infinity\x06:\a@di\xFA"
Marshal.load(old).to_s # => "2001-02-03"
