# Libraries of the runtime match for themselves: $~ and $_ of the program that calls them stay what they are.
require "date"
"zz" =~ /z/
Date.parse("2001-02-03").day # => 3
DateTime.parse("3rd Feb 2001 04:05:06 PM").hour # => 16
$~[0] # => "z"
Date._parse("10:20:30")[:min] # => 20
require "rbconfig"
RbConfig.expand(+"$(MAJOR)$(MINOR)") == "#{RbConfig::CONFIG["MAJOR"]}#{RbConfig::CONFIG["MINOR"]}" # => true
$~[0] # => "z"

# They find their own matches where no program calls them.
IO.popen([RbConfig.ruby, "--disable=gems", "-rrbconfig", "-e", "print RbConfig::CONFIG['rubylibdir'].include?('$')"], &:read) # => "false"

# Methods of the core match for the program, also those that are written in Ruby.
%w[ab cd].grep(/d/) { it + $~[0] } # => ["cdd"]
$~[0] # => "d"
%w[ab cd].any?(/a/) # => true
$~[0] # => "a"
