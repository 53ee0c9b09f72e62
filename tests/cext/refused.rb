# What is no extension for this Ruby is refused, whatever it is.
# needs: 4.0
require "tmpdir"
dir = Dir.mktmpdir
at_exit { system("rm", "-rf", dir) }
File.write("#{dir}/text.so", "not a library\n")
message = begin
  require "#{dir}/text.so"
rescue LoadError => error
  error.message
end
message.sub(dir, "DIR") # => "DIR/text.so: extensions for another Ruby cannot be loaded"
File.write("#{dir}/other.c", "void Init_other(void) {}\n")
system("cc -shared -fPIC -o #{dir}/other.so #{dir}/other.c") # => true
message = begin
  require "#{dir}/other"
rescue LoadError => error
  error.message
end
message.sub(dir, "DIR") # => "DIR/other.so: extensions for another Ruby cannot be loaded"
require "rbconfig"
File.write("#{dir}/silent.c", "#include <ruby.h>\n")
system("cc -shared -fPIC -I#{RbConfig::CONFIG["rubyhdrdir"]} -o #{dir}/silent.so #{dir}/silent.c") # => true
message = begin
  require "#{dir}/silent"
rescue LoadError => error
  error.message
end
message.sub(dir, "DIR") # => "dlsym: undefined symbol: Init_silent - DIR/silent.so"
File.write("#{dir}/later.c", "#include <ruby.h>\nvoid Init_later(void) { rb_load_file_str(rb_cObject); }\n")
system("cc -w -shared -fPIC -include ruby/io/buffer.h -I#{RbConfig::CONFIG["rubyhdrdir"]} -o #{dir}/later.so #{dir}/later.c") # => true
require "#{dir}/later" # raises NotImplementedError: rb_load_file_str is not implemented by Rubellite
