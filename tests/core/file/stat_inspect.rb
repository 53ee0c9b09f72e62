stat = File.stat(__FILE__)
text = stat.inspect
text.scan(/(\w+)=/).flatten # => ["dev", "ino", "mode", "nlink", "uid", "gid", "rdev", "size", "blksize", "blocks", "atime", "mtime", "ctime"]
text.include?("mode=#{format("%07o", stat.mode)}, nlink=#{stat.nlink}") # => true
