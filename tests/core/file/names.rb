File.basename("/a/b.rb") # => "b.rb"
File.basename("/a/b.rb", ".rb") # => "b"
File.basename("/a/b.rb", ".*") # => "b"
File.dirname("/a/b/c") # => "/a/b"
File.dirname("/a/b/c", 2) # => "/a"
File.dirname("a") # => "."
File.extname("a/b.tar.gz") # => ".gz"
File.extname(".bashrc") # => ""
File.join("a", "/b", "c/", "/d") # => "a/b/c/d"
File.join("a", ["b", ["c"]]) # => "a/b/c"
File.split("/a/b") # => ["/a", "b"]
File.expand_path("b", "/a") # => "/a/b"
File.expand_path("../c", "/a/b") # => "/a/c"
File.expand_path("/a/./b/../c") # => "/a/c"
File.absolute_path?("/a") # => true
File.fnmatch("*.rb", "a.rb") # => true
File.fnmatch("**/*.rb", "x/y/a.rb", File::FNM_PATHNAME) # => true
File.fnmatch("{a,b}", "a", File::FNM_EXTGLOB) # => true
File.fnmatch?("*", ".hidden") # => false
File::SEPARATOR # => "/"
File.join("a", 1) # raises TypeError: no implicit conversion of Integer into String
File.basename(nil) # raises TypeError: no implicit conversion of nil into String
File.expand_path("a\0b") # raises ArgumentError: path name contains null byte
