# File.realdirpath resolves part by part: `..` takes the last part off whatever it is,
# and only the last part need not exist.
require "tmpdir"
DIR = File.realpath(Dir.mktmpdir)
at_exit { system("rm", "-rf", DIR) }
FILE = "#{DIR}/file"
File.write(FILE, "")
def shown
  yield.gsub(DIR, "DIR")
rescue SystemCallError => e
  e.message.gsub(DIR, "DIR")
end
shown { File.realdirpath("..", FILE) } # => "DIR"
shown { File.realdirpath(".", FILE) } # => "DIR/file"
shown { File.realdirpath("../file", FILE) } # => "DIR/file"
shown { File.realdirpath("../new", FILE) } # => "DIR/new"
shown { File.realdirpath("new", FILE) } # => "Not a directory @ realpath_rec - DIR/file/new"
shown { File.realdirpath("new/deeper", FILE) } # => "Not a directory @ realpath_rec - DIR/file/new"
shown { File.realdirpath("file/..", DIR) } # => "DIR"
shown { File.realdirpath("#{FILE}/../new") } # => "DIR/new"
shown { File.realdirpath("#{FILE}/") } # => "DIR/file"
shown { File.realdirpath("#{DIR}/nosuch/../new") } # => "No such file or directory @ realpath_rec - DIR/nosuch"
File.realdirpath("../../../../../../../../../../..", FILE) # => "/"
File.symlink("new", "#{DIR}/dangling")
File.symlink("file", "#{DIR}/link")
File.symlink("loop", "#{DIR}/loop")
File.symlink(DIR, "#{DIR}/up")
shown { File.realdirpath("dangling", DIR) } # => "DIR/new"
shown { File.realdirpath("dangling/x", DIR) } # => "No such file or directory @ realpath_rec - DIR/new"
shown { File.realdirpath("link", DIR) } # => "DIR/file"
shown { File.realdirpath("link/..", DIR) } # => "DIR"
shown { File.realdirpath("up/up/file", DIR) } # => "DIR/file"
shown { File.realdirpath("up/../new", DIR) == "#{File.dirname(DIR)}/new" ? "beside" : "elsewhere" } # => "beside"
shown { File.realdirpath("loop", DIR) } # => "Too many levels of symbolic links @ realpath_rec - DIR/loop"
shown { File.realpath("..", FILE) } # => "DIR"
