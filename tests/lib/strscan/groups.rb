# needs: 4.0
require "strscan"
s = StringScanner.new("Fri Dec 12 1975 14:39")
s.scan(/(?<wday>\w+) (?<month>\w+) (?<day>\d+)(x)? ?/) # => "Fri Dec 12 "
s.matched # => "Fri Dec 12 "
s.matched_size # => 11
s[0] # => "Fri Dec 12 "
s[1] # => "Fri"
s[-1] # => "12"
s[:wday] # => "Fri"
s["day"] # => "12"
s[:nope] # raises IndexError: undefined group name reference: nope
s[9] # => nil
s.size # => 4
s.captures # => ["Fri", "Dec", "12"]
s.values_at(0, 1, -1, :month) # => ["Fri Dec 12 ", "Fri", "12", "Dec"]
s.named_captures # => {"wday" => "Fri", "month" => "Dec", "day" => "12"}
s.pre_match # => ""
s.post_match # => "1975 14:39"
s.unscan.pos # => 0
s.unscan # raises StringScanner::Error: unscan failed: previous match record not exist
s.matched # => nil
s[0] # => nil
s.scan_until(/1(\d)/) # => "Fri Dec 12"
s.pre_match # => "Fri Dec "
s[1] # => "2"
s.check_until(/(:)/) # => " 1975 14:"
s.skip_until("14") # => 8
s.matched # => "14"
s.exist?(/\d\z/) # => 3
s.search_full(/:/, false, true) # => ":"
s.search_full(/:/, true, false) # => 1
s.scan_full(/\d/, true, true) # => "3"
s.rest # => "9"
s.rest_size # => 1
s.named_captures # => {}
s.inspect # => "#<StringScanner 20/21 \"... 14:3\" @ \"9\">"
s.terminate.inspect # => "#<StringScanner fin>"
StringScanner.allocate.inspect # => "#<StringScanner (uninitialized)>"
StringScanner.allocate.scan(/x/) # raises ArgumentError: uninitialized StringScanner object
StringScanner.new(nil) # raises TypeError: no implicit conversion of nil into String
StringScanner.new("x").scan(nil) # raises TypeError: no implicit conversion of nil into String
StringScanner.new("é").scan("\xE9".dup.force_encoding("ISO-8859-1")) # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and ISO-8859-1
StringScanner.new("\xff").scan(/./) # raises ArgumentError: invalid byte sequence in UTF-8
d = StringScanner.new("abc")
d.scan(/a(b)/)
e = d.dup
d.scan(/c/)
[e.matched, e[1], e.pos] # => ["ab", "b", 2]
