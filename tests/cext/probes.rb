# Probes of extconf.rb link whatever language its flags ask for, and say no to what is not there.
require "mkmf"
require "tmpdir"
Dir.chdir(Dir.mktmpdir)
Logging.quiet = true
MakeMakefile::Logging.logfile("mkmf.log")
def quietly
  kept = $stdout.dup
  $stdout.reopen(File::NULL)
  yield
ensure
  $stdout.reopen(kept)
end
quietly { have_func("rb_str_new") } # => true
quietly { have_func("rb_no_such_function") } # => false
kept, $CPPFLAGS = $CPPFLAGS, "#{$CPPFLAGS} -x c++"
quietly { try_link("#include <ruby.h>\n#include <string>\nint main() { std::string s; return (int)s.size(); }") } # => true
$CPPFLAGS = kept
