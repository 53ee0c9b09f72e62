# A frozen Dir tells its path and nothing else; one that was never opened is closed.
dir = Dir.new("/").freeze
[:read, :rewind, :children, :fileno, :pos, :close, :chdir].map { |name| dir.send(name) rescue [$!.class, $!.message] }.uniq # => [[FrozenError, "can't modify frozen Dir: #<Dir:/>"]]
dir.each { } # raises FrozenError: can't modify frozen Dir: #<Dir:/>
dir.seek(0) # raises FrozenError: can't modify frozen Dir: #<Dir:/>
dir.path # => "/"
dir.inspect # => "#<Dir:/>"
Dir.allocate.read # raises IOError: closed directory
Dir.allocate.fileno # raises IOError: closed directory
Dir.allocate.close # => nil
Dir.allocate.path # => nil
Dir.allocate.inspect # => "#<Dir:0xXX>"
