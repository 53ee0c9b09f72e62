:a.to_s # => "a"
:abc.size # => 3
:abc[1] # => "b"
:a <=> :b # => -1
:a == "a" # => false
:b.succ # => :c
:abc.upcase # => :ABC
:"foo bar".to_proc.class # => Proc
%i[b a].sort # => [:a, :b]
:a.to_sym.equal?(:a) # => true
:abc.start_with?("a") # => true
"a b".to_sym.inspect # => ":\"a b\""
:a.frozen? # => true
:abc =~ /b/ # => 1
:abc.match?(/z/) # => false
Symbol.all_symbols.size > 100 # => true
Symbol.new # raises NoMethodError: undefined method 'new' for class Symbol
:a.name.frozen? # => true
:a.name.equal?(:a.name) # => true
:<=>.inspect # => ":<=>"
:"é".inspect # => ":é"
:"a-b".inspect # => ":\"a-b\""
:nil.inspect # => ":nil"
:A=.inspect # => ":A="
:a?.inspect # => ":a?"
:[]=.inspect # => ":[]="
:"a?b".inspect # => ":\"a?b\""
:"=".inspect # => ":\"=\""
:!.inspect # => ":!"
:"".inspect # => ":\"\""
