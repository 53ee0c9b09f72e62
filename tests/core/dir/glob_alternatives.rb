# Alternatives in front of and below `**`, letter case, dots and a base.
require "tmpdir"
DIR = Dir.mktmpdir
at_exit { system("rm", "-rf", DIR) }
Dir.chdir(DIR)
%w[a b a/b].each { |name| Dir.mkdir(name) }
%w[A.RB a.rb b.rb a/x.rb b/x.rb a/.d].each { |name| File.write(name, "") }
Dir.glob("*.rb", File::FNM_CASEFOLD) # => ["a.rb", "b.rb"]
Dir.glob("*.{rb,RB}", File::FNM_CASEFOLD) # => ["a.rb", "b.rb", "A.RB"]
Dir.glob("{a,a}*") # => ["a", "a.rb", "a", "a.rb"]
Dir.glob("{b,a}/*.{rb,r*}") # => ["b/x.rb", "b/x.rb", "a/x.rb", "a/x.rb"]
Dir.glob("**/{x,x*}.rb") # => ["a/x.rb", "b/x.rb"]
Dir.glob("**/{x.rb,a}") # => ["a", "a/x.rb", "b/x.rb"]
Dir.glob("**/{a,x.rb}") # => ["a", "a/x.rb", "b/x.rb"]
Dir.glob("{a,b}/**/{x,x}.rb") # => ["a/x.rb", "a/x.rb", "b/x.rb", "b/x.rb"]
Dir.glob("**/a/{x,x}.rb") # => ["a/x.rb"]
Dir.glob("{**/x.rb,a/*.rb}") # => ["a/x.rb", "b/x.rb", "a/x.rb"]
Dir.glob("**/x.{rb,rb}", base: "a") # => ["x.rb"]
Dir.glob("**/", base: "a") # => ["/", "b/"]
Dir.glob("**/", base: "") # => ["a/", "a/b/", "b/"]
Dir.glob("**/b/", base: "a") # => ["b/"]
Dir.glob("**/.*") # => ["a/.d"]
Dir.glob("**/.*", base: "a") # => [".d"]
Dir.glob("**/.*", File::FNM_DOTMATCH, base: "a") # => [".", ".d"]
Dir.glob(".*", base: "a") # => [".", ".d"]
Dir.glob("**/{b,x.rb}", sort: false).sort # => ["a/b", "a/x.rb", "b", "b/x.rb"]
