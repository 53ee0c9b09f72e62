# Any character but digits in front and parentheses may stand in the name of a group.
"foo"[/(?<@bar>o)/, "@bar"] # => "o"
"foo"[/(?<@bar>.)\g<@bar>\k<@bar>/, "@bar"] # => "o"
/(?<a b>o)(?<a.>x)?/.names # => ["a b", "a."]
/(?'$a'o)\k'$a'/.match("oo").named_captures # => {"$a" => "o"}
/(?<@a>o)?(?(<@a>)b|c)/.match("ob")[0] # => "ob"
Regexp.new('(?<a>o)\k<b c>') # raises RegexpError: undefined name <b c> reference: /(?<a>o)\k<b c>/
Regexp.new('(?<-a>o)') # raises RegexpError: invalid group name <-a>: /(?<-a>o)/
Regexp.new('(?<1a>o)') # raises RegexpError: invalid group name <1a>: /(?<1a>o)/
/(?<_0x41>a)/.names # => ["_0x41"]
/\p{AsciI}/e.match?("a".encode("euc-jp")) # => true
/\p{hiraganA}/e.match?("\u3042".encode("euc-jp")) # => true
/\p{^alpha}/s.match?("1".encode("sjis")) # => true
