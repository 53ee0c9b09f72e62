# What a match needs and the text lacks ends a search that would backtrack for ever.
Regexp.timeout = 5
(/((a+)+)\2needle/ =~ "a" * 60) # => nil
(/^(?=(a+)+$)b/ =~ "a" * 50 + "!") # => nil
(/^(?=(a+)+$)b/ =~ "a" * 50 + "!b") # => nil
(/((a+)+)\2x?needle/ =~ "a" * 60) # => nil
(/^(?=(a+)+$)[bc]/ =~ "a" * 50 + "!") # => nil
(/((a+)+)\2(needle|poodle)/ =~ "a" * 60) # => nil
(/((a+)+)\2(?i:needle)/ =~ "a" * 60) # => nil
(/((a+)+)\2needle/i =~ "a" * 60) # => nil
(/^(?=(a+)+$)(?=b)/ =~ "a" * 50 + "!") # => nil
(/((a+)+)\2\d/ =~ "a" * 60) # => nil
("a" * 60).match?(/((a+)+)\2needle/) # => false
("a" * 60 + "needle")[/((a+)+)\2needle/].size # => 66
("a" * 30 + "\u212a")[/((a+)+)\2k/i].size # => 31
