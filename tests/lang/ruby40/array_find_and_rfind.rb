# needs: 4.0
[1, 2, 3, 4].rfind(&:odd?) # => 3
[1, 2, 3, 4].find(&:even?) # => 2
[1].rfind { |x| x > 5 } # => nil
Array.instance_method(:find).owner # => Array
