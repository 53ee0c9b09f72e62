a = +"x" * 100
b = a.dup
a.clear
a << "new"
b.size # => 100
c = b[0, 50]
b.replace("short")
c.size # => 50
a # => "new"
d = +""
1000.times { |i| d << i.to_s }
d.size # => 2890
d[-4..] # => "8999"
