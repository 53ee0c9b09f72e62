# What realpath and realdirpath say of paths that lead nowhere
require "tmpdir"
DIR = File.realpath(Dir.mktmpdir)
Dir.chdir(DIR)
Dir.mkdir("d")
File.write("f", "")
File.symlink("loop", "loop")
def answer(name, *arguments)
  File.send(name, *arguments).sub(DIR, "D") rescue "#{$!.class}: #{$!.message.sub(DIR, "D")}"
end
answer(:realpath, "none") # => "Errno::ENOENT: No such file or directory @ rb_check_realpath_internal - none"
answer(:realpath, "none", "d") # => "Errno::ENOENT: No such file or directory @ rb_check_realpath_internal - d/none"
answer(:realpath, "none", "d/") # => "Errno::ENOENT: No such file or directory @ rb_check_realpath_internal - d/none"
answer(:realpath, "#{DIR}/none", "d") # => "Errno::ENOENT: No such file or directory @ rb_check_realpath_internal - D/none"
answer(:realpath, "none/x/y") # => "Errno::ENOENT: No such file or directory @ rb_check_realpath_internal - none/x/y"
answer(:realpath, "f/x/y") # => "Errno::ENOTDIR: Not a directory @ realpath_rec - D/f/x"
answer(:realpath, "loop") # => "Errno::ELOOP: Too many levels of symbolic links @ rb_check_realpath_internal - loop"
answer(:realpath, "") # => "Errno::ENOENT: No such file or directory @ rb_check_realpath_internal - "
answer(:realpath, "../f", "d") # => "D/f"
answer(:realdirpath, "none") # => "D/none"
answer(:realdirpath, "none/x") # => "Errno::ENOENT: No such file or directory @ realpath_rec - D/none"
answer(:realdirpath, "none/x/y") # => "Errno::ENOENT: No such file or directory @ realpath_rec - D/none"
answer(:realdirpath, "f/x") # => "Errno::ENOTDIR: Not a directory @ realpath_rec - D/f/x"
answer(:realdirpath, "loop") # => "Errno::ELOOP: Too many levels of symbolic links @ realpath_rec - D/loop"
answer(:realdirpath, "") == "D" # => true
File::Stat.new("none") # raises Errno::ENOENT: No such file or directory @ rb_stat_init - none
File.open("f") { |file| file.readline(limit: 3) } # raises ArgumentError: unknown keyword: :limit
Dir.chdir("/")
["loop", "f"].each { |name| File.delete("#{DIR}/#{name}") }
["d", ""].each { |name| Dir.rmdir("#{DIR}/#{name}") }
