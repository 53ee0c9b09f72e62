# needs: 4.0
# RubyGems is the first on the load path at the start: what `gem update --system` installs, and what -I names, comes
# before the library's. A distribution's additions to it run before the program, and RubyGems that is named through
# symbolic links is the one that is there.
require "fileutils"
require "tmpdir"

DIR = File.realpath(Dir.mktmpdir)
at_exit { FileUtils.rm_rf(DIR) }
LIBRARY = RbConfig::CONFIG["rubylibdir"]

def answer(*words, **variables)
  read, write = IO.pipe
  pid = spawn(variables.transform_keys(&:to_s), RbConfig.ruby, *words, out: write, err: write)
  write.close
  text = read.read
  Process.wait(pid)
  [$?.exitstatus, text.gsub(DIR, "DIR")]
end

# Additions of a distribution.
FileUtils.mkdir_p("#{DIR}/os/rubygems/defaults")
addition = "#{DIR}/os/rubygems/defaults/operating_system.rb"
File.write(addition, "puts :first; module Gem; def self.default_dir = '/nowhere'; end")
answer("-I", "#{DIR}/os", "-e", "puts :second; puts Gem.default_dir") # => [0, "first\nsecond\n/nowhere\n"]
answer("--disable=gems", "-I", "#{DIR}/os", "-e", "puts :second") # => [0, "second\n"]
answer("-e", "puts :second", RUBYLIB: "#{DIR}/os") # => [0, "first\nsecond\n"]
File.write(addition, "this_is_missing")
status, text = answer("-I", "#{DIR}/os", "-e", "puts :second")
status # => 1
text.include?("Loading the #{addition} file caused an error.".sub(DIR, "DIR")) # => true
text.include?("undefined local variable or method 'this_is_missing'") # => true
text.include?("second") # => false

# Another version of RubyGems.
FileUtils.mkdir_p("#{DIR}/newer")
FileUtils.cp_r(["#{LIBRARY}/rubygems.rb", "#{LIBRARY}/rubygems"], "#{DIR}/newer")
main = "#{DIR}/newer/rubygems.rb"
File.write(main, File.read(main).sub(/^  VERSION = ".*"/, '  VERSION = "99.0.0"'))
own = "puts Gem::VERSION; puts $\".grep(/rubygems\\/version.rb/)"
answer("-I", "#{DIR}/newer", "-e", own) # => [0, "99.0.0\nDIR/newer/rubygems/version.rb\n"]

# Symbolic links to the library.
File.symlink(File.dirname(LIBRARY), "#{DIR}/link")
linked = "#{DIR}/link/#{File.basename(LIBRARY)}/rubygems.rb"
answer("-w", "-e", "p require(#{linked.inspect}); p Gem::VERSION.size > 2; p require(#{linked.inspect})") # => [0, "false\ntrue\nfalse\n"]
answer("-w", "-e", "p Gem::VERSION.size > 2, require(#{LIBRARY.inspect} + '/rubygems.rb')", RUBELLITE_LIBRARY: "#{DIR}/link") # => [0, "true\nfalse\n"]
