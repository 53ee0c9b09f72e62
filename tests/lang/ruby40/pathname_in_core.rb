# needs: 4.0
Pathname("/a/b").basename.to_s # => "b"
Pathname.new("/a") + "b" # => #<Pathname:/a/b>
