# The list of the C interface's functions, and what probes of extconf.rb are linked against.
# needs: 4.0
require "rbconfig"
require "tmpdir"
list = `#{RbConfig.ruby} --capi`.lines(chomp: true).to_h { |line| line.split("\t") }
list["rb_funcallv"] # => "implemented"
list["ruby_init"] # => "raises NotImplementedError"
# What CRuby's headers no longer declare is not there, as have_func is told.
list["rb_metaclass_new"] # => nil
list.size > 1100 # => true
list.count { |_, state| state == "implemented" } > 1000 # => true
dir = Dir.mktmpdir
at_exit { system("rm", "-rf", dir) }
define_method(:links) do |name|
  File.write("#{dir}/probe.c", "extern void #{name}();\nint main(void) { #{name}(); return 0; }\n")
  words = RbConfig::CONFIG.values_at("CC", "LIBRUBYARG", "LIBS").map { |value| RbConfig.expand(value.dup) }
  system("#{words[0]} -w -fPIC -o #{dir}/probe #{dir}/probe.c #{words[1]} #{words[2]} 2> /dev/null")
end
links("rb_str_resize") # => true
links("ruby_xfree_sized") # => true
links("rb_no_such_function") # => false
links("rb_enc_replicate") # => false
RbConfig.expand("a$(prefix)b".dup, { "prefix" => "<$(inner)>", "inner" => "x" }) # => "a<x>b"
RbConfig.expand("$(a)".dup, { "a" => "$(a)1" }) # => "$(a)1"
text = +"$(cc) $$"
RbConfig.expand(text, { "cc" => "gcc" })
text # => "gcc $"
