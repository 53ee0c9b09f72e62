# RbConfig: keys that libraries and build tools read, references between them.
require "rbconfig"

CROSS_COMPILING # => nil
config = RbConfig::CONFIG
KEYS = %w[prefix exec_prefix bindir libdir datadir mandir sysconfdir localstatedir includedir rubylibprefix rubylibdir
          rubyarchdir archdir sitedir sitelibdir sitearchdir vendordir vendorlibdir vendorarchdir topdir rubyhdrdir
          rubyarchhdrdir arch sitearch host host_os host_cpu target_os target_cpu build ruby_version ruby_install_name
          RUBY_INSTALL_NAME RUBY_SO_NAME RUBY_BASE_NAME RUBY_API_VERSION RUBY_PROGRAM_VERSION MAJOR MINOR TEENY
          PATCHLEVEL CC CFLAGS CPPFLAGS LDFLAGS DLDFLAGS LDSHARED LIBRUBYARG LIBS DLEXT SOEXT OBJEXT LIBEXT EXEEXT
          PATH_SEPARATOR SHELL INSTALL MAKEDIRS RM CP EXECUTABLE_EXTS ENABLE_SHARED configure_args]
KEYS.reject { |key| config[key].is_a?(String) } # => []
config.values.grep(/\$\(/)                                   # => []
config.values_at("MAJOR", "MINOR").join(".") == config["RUBY_API_VERSION"] # => true
config["RUBY_PROGRAM_VERSION"] == RUBY_VERSION               # => true
config["arch"] == RUBY_PLATFORM                              # => true
File.directory?(config["rubylibdir"])                        # => true
$LOAD_PATH.include?(config["rubylibdir"])                    # => true
File.executable?(RbConfig.ruby)                              # => true

# `expand` resolves what it finds in the string itself, also what it finds there in turn.
mine = { "a" => "1", "b" => "$(a)2", "c" => "${b}3", "loop" => "x$(loop)", "list" => "p.c q.c" }
text = +"<$(c)> $$ $(none) $(list:.c=.o)"
RbConfig.expand(text, mine)                                  # => "<123> $ $(none) p.o q.o"
text                                                         # => "<123> $ $(none) p.o q.o"
mine["c"]                                                    # => "123"
RbConfig.expand(+"$(loop)", mine)                            # => "x$(loop)"
RbConfig::MAKEFILE_CONFIG["datadir"]                         # => "$(datarootdir)"
RbConfig.fire_update!("CC", RbConfig::MAKEFILE_CONFIG["CC"]) # => nil
RbConfig.fire_update!("CC", "mycc").include?("LDSHARED")     # => true
config["LDSHARED"].start_with?("mycc ")                      # => true
