require "strscan"
s = StringScanner.new("3.14 apples")
s.scan(/\d+/) # => "3"
s.scan(/x/) # => nil
s.check(/\./) # => "."
s.getch # => "."
s.scan(/\d+/) # => "14"
s.pos # => 4
s.skip(/\s+/) # => 1
s.scan_until(/p/) # => "ap"
s.pre_match # => "3.14 a"
s.rest # => "ples"
s.eos? # => false
s.peek(2) # => "pl"
s.match?(/les/) # => nil
s.terminate.eos? # => true
s.reset
s.scan(/(?<n>\d)\.(\d)?/) # => "3.1"
s[:n] # => "3"
s.matched # => "3.1"
s.post_match # => "4 apples"
s.unscan
s.pos # => 0
s.string = "new"
s.scan("ne") # => "ne"
s.inspect # => "#<StringScanner 2/3 \"ne\" @ \"w\">"
s.bol? # => false
s.exist?(/w/) # => 1
