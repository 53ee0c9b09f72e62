def inner
  "zz" =~ /z/
  $~[0]
end
"abc" =~ /b/
inner # => "z"
$~[0] # => "b"
[1].each { "q" =~ /q/ }
$~[0] # => "q"
"abc".sub(/c/) { $&.upcase } # => "abC"
$~[0] # => "c"
th = Thread.new { $~ }
th.value # => nil
