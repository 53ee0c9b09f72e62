# Paths are found with as many slashes as the pattern has; what is below a directory comes right after it.
require "tmpdir"
require "fileutils"
dir = Dir.mktmpdir
FileUtils.mkdir_p(["#{dir}/a/b/c", "#{dir}/d", "#{dir}/.h/i"])
FileUtils.touch(["#{dir}/a/x", "#{dir}/a/b/y", "#{dir}/.h/z"])
File.symlink("a", "#{dir}/l")
Dir.chdir(dir)
Dir.glob("a//*") # => ["a//b", "a//x"]
Dir.glob("*//x") # => ["a//x", "l//x"]
Dir.glob("a//b//") # => ["a//b//"]
Dir.glob("*//") # => ["a//", "d//", "l//"]
Dir.glob("**//y") # => ["a/b/y"]
Dir.glob("{a,d}//*") # => ["a//b", "a//x"]
Dir.glob("#{dir}//a") == ["#{dir}//a"] # => true
Dir.glob("/" + dir).size # => 1
Dir.glob("**/*/") # => ["a/", "a/b/", "a/b/c/", "d/", "l/"]
Dir.glob("**/*/", File::FNM_DOTMATCH) # => ["./", ".h/", ".h/i/", "a/", "a/b/", "a/b/c/", "d/", "l/"]
Dir.glob("./**/*/") # => ["./a/", "./a/b/", "./a/b/c/", "./d/", "./l/"]
Dir.glob("**/") # => ["a/", "a/b/", "a/b/c/", "d/"]
Dir.glob("**/*") # => ["a", "a/b", "a/b/c", "a/b/y", "a/x", "d", "l"]
Dir.glob("**/b/**/*") # => ["a/b/c", "a/b/y"]
Dir.glob("**/l/x") # => ["l/x"]
Dir.glob("*/*/", base: "a") # => ["b/c/"]
Dir.glob("**/", base: "a") - ["/"] # => ["b/", "b/c/"]
Dir.glob("a\\") # => ["a"]
Dir.glob("[ab/d]") # => ["a", "d"]
Dir.glob("a/missing/../x") # => []
Dir.glob("*", File::FNM_DOTMATCH) # => [".", ".h", "a", "d", "l"]
Dir.glob(".*") # => [".", ".h"]
Dir.chdir("/")
FileUtils.rm_r(dir)
