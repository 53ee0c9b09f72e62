# Keywords that Dir's methods do not know, and what an Enumerator keeps of those that it does
Dir.new("/", foo: 1) # raises ArgumentError: unknown keyword: :foo
Dir.open("/", foo: 1) # raises ArgumentError: unknown keyword: :foo
Dir.children("/", foo: 1, bar: 2) # raises ArgumentError: unknown keywords: :foo, :bar
Dir.entries("/", foo: 1) # raises ArgumentError: unknown keyword: :foo
Dir.each_child("/", foo: 1) { } # raises ArgumentError: unknown keyword: :foo
Dir.foreach("/", foo: 1) { } # raises ArgumentError: unknown keyword: :foo
Dir.each_child("/").inspect # => "#<Enumerator: Dir:each_child(\"/\")>"
Dir.foreach("/").inspect # => "#<Enumerator: Dir:foreach(\"/\")>"
Dir.open("/", encoding: "utf-8") { |dir| dir.path } # => "/"
Dir.chdir("/nonono") # raises Errno::ENOENT: No such file or directory @ chdir_path - /nonono
Dir.chdir("/nonono") { } # raises Errno::ENOENT: No such file or directory @ dir_chdir0 - /nonono
test("", "/") # raises TypeError: no implicit conversion of String into Integer
