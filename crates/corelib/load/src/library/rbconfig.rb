# RbConfig: where things are and how they were built. What depends on the installation the loader has put into CONFIG
# already.

module RbConfig
  TOPDIR = CONFIG["prefix"]
  DESTDIR = ""
  cpu = CONFIG["arch"][/\A[^-]+/]
  major, minor, teeny = RUBY_VERSION.split(".")

  # The headers of the C interface: beside the command that was installed, else where it was compiled.
  # There they have a name of their own, as headers of another Ruby may lie beside them.
  headers = [*ENV["RUBELLITE_INCLUDE"]&.then { "#{it}/ruby-4.0.0" }, "#{TOPDIR}/include/rubellite-4.0.0",
             "#{HEADERS}/ruby-4.0.0"]
  headers = headers.find { |dir| File.exist?("#{dir}/ruby.h") }&.then { |dir| File.realpath(dir) }
  private_constant :HEADERS

  # References to other keys are resolved below; MAKEFILE_CONFIG keeps them.
  {
    "DESTDIR" => "", "MAJOR" => major, "MINOR" => minor, "TEENY" => teeny || "0", "PATCHLEVEL" => RUBY_PATCHLEVEL.to_s,
    "RUBY_API_VERSION" => "$(MAJOR).$(MINOR)", "RUBY_PROGRAM_VERSION" => "$(MAJOR).$(MINOR).$(TEENY)",
    "RUBY_BASE_NAME" => "rubellite", "RUBYW_BASE_NAME" => "", "RUBY_INSTALL_NAME" => "$(ruby_install_name)",
    "RUBYW_INSTALL_NAME" => "", "rubyw_install_name" => "",
    "RUBY_VERSION_NAME" => "$(RUBY_BASE_NAME)-$(RUBY_PROGRAM_VERSION)", "RUBY_SO_NAME" => "$(RUBY_BASE_NAME)",
    "RUBY_LIB_VERSION_STYLE" => "3\t/* full */", "RUBY_LIB_VERSION" => "", "RUBY_EXEC_PREFIX" => "$(exec_prefix)",
    "RUBY_SEARCH_PATH" => "", "RUBY_DEVEL" => "", "ruby_pc" => "", "PACKAGE" => "rubellite", "PACKAGE_NAME" => "",
    "PACKAGE_TARNAME" => "", "PACKAGE_VERSION" => "", "PACKAGE_STRING" => "", "PACKAGE_BUGREPORT" => "",
    "PACKAGE_URL" => "", "UNICODE_VERSION" => "17.0.0", "UNICODE_EMOJI_VERSION" => "17.0",

    "exec_prefix" => "$(prefix)", "sbindir" => "$(exec_prefix)/sbin", "libexecdir" => "$(exec_prefix)/libexec",
    "libdir" => "$(exec_prefix)/lib", "libdirname" => "libdir", "datarootdir" => "$(prefix)/share",
    "datadir" => "$(datarootdir)", "mandir" => "$(datarootdir)/man", "infodir" => "$(datarootdir)/info",
    "localedir" => "$(datarootdir)/locale", "docdir" => "$(datarootdir)/doc/$(PACKAGE)", "htmldir" => "$(docdir)",
    "dvidir" => "$(docdir)", "pdfdir" => "$(docdir)", "psdir" => "$(docdir)", "RI_BASE_NAME" => "ri",
    "ridir" => "$(datarootdir)/$(RI_BASE_NAME)", "sysconfdir" => "$(prefix)/etc", "sharedstatedir" => "$(prefix)/com",
    "localstatedir" => "$(prefix)/var", "runstatedir" => "$(localstatedir)/run", "includedir" => "$(prefix)/include",
    "oldincludedir" => "/usr/include", "srcdir" => "$(prefix)", "rubylibprefix" => "$(libdir)/$(RUBY_BASE_NAME)",
    "rubylibdir" => "$(rubylibprefix)/$(RUBY_PROGRAM_VERSION)", "rubyarchdir" => "$(rubylibdir)/$(arch)",
    "archdir" => "$(rubyarchdir)", "topdir" => "$(rubyarchdir)", "rubyarchprefix" => "$(rubylibprefix)/$(arch)",
    "rubysitearchprefix" => "$(rubylibprefix)/$(sitearch)", "sitedir" => "$(rubylibprefix)/site_ruby",
    "sitelibdir" => "$(sitedir)/$(RUBY_PROGRAM_VERSION)", "sitearchdir" => "$(sitelibdir)/$(sitearch)",
    "vendordir" => "$(rubylibprefix)/vendor_ruby", "vendorlibdir" => "$(vendordir)/$(RUBY_PROGRAM_VERSION)",
    "vendorarchdir" => "$(vendorlibdir)/$(sitearch)", "rubyhdrdir" => headers || "$(includedir)/$(RUBY_VERSION_NAME)",
    "hdrdir" => "$(rubyhdrdir)", "rubyarchhdrdir" => "$(rubyhdrdir)", "archhdrdir" => "$(rubyhdrdir)",
    "sitehdrdir" => "$(rubyhdrdir)/site_ruby", "sitearchhdrdir" => "$(sitehdrdir)/$(sitearch)",
    "vendorhdrdir" => "$(rubyhdrdir)/vendor_ruby", "vendorarchhdrdir" => "$(vendorhdrdir)/$(sitearch)",
    "archincludedir" => "$(includedir)/$(arch)", "sitearchincludedir" => "$(includedir)/$(sitearch)",
    "archlibdir" => "$(libdir)/$(arch)", "sitearchlibdir" => "$(libdir)/$(sitearch)", "modular_gc_dir" => "",

    "sitearch" => "$(arch)", "platform" => "$(arch)", "target_cpu" => cpu, "target_vendor" => "unknown",
    "target_os" => "linux", "target" => "$(target_cpu)-$(target_vendor)-$(target_os)-gnu", "target_alias" => "",
    "host_cpu" => "$(target_cpu)", "host_vendor" => "$(target_vendor)", "host_os" => "linux", "host" => "$(target)",
    "host_alias" => "", "build_cpu" => "$(target_cpu)", "build_vendor" => "$(target_vendor)", "build_os" => "linux",
    "build" => "$(target)", "build_alias" => "", "config_target" => "$(target)", "CROSS_COMPILING" => "no",
    "TEST_RUNNABLE" => "yes", "PLATFORM_DIR" => "", "configure_args" => "", "CONFIGURE" => "configure",
    "THREAD_MODEL" => "pthread", "COROUTINE_TYPE" => "", "UNIVERSAL_INTS" => "", "UNIVERSAL_ARCHNAMES" => "",
    "ARCH_FLAG" => "", "YJIT_SUPPORT" => "no", "ZJIT_SUPPORT" => "no", "JIT_CARGO_SUPPORT" => "no",

    "EXEEXT" => "", "EXECUTABLE_EXTS" => "", "DLEXT" => "so", "SOEXT" => "so", "LIBEXT" => "a", "OBJEXT" => "o",
    "ASMEXT" => "S", "PATH_SEPARATOR" => ":", "SHELL" => "/bin/bash", "PRELOADENV" => "LD_PRELOAD",
    "LIBPATHENV" => "LD_LIBRARY_PATH", "exec" => "exec", "NULLCMD" => ":", "ENABLE_SHARED" => "no",
    "LIBRUBY_RELATIVE" => "no", "LIBRUBY" => "", "LIBRUBY_A" => "",
    "LIBRUBY_SO" => "lib$(RUBY_SO_NAME).$(SOEXT).$(RUBY_PROGRAM_VERSION)", "LIBRUBY_SONAME" => "",
    "LIBRUBY_ALIASES" => "", "LIBRUBYARG_SHARED" => "",
    # Probes of extconf.rb are linked against a list of the interface's names; extensions find them in the command.
    "LIBRUBYARG" => "-no-pie -Xlinker $(hdrdir)/rubellite.ld", "LIBRUBYARG_STATIC" => "$(LIBRUBYARG)",
    "INSTALL_STATIC_LIBRARY" => "no", "SOLIBS" => "$(MAINLIBS)", "MAINLIBS" => "-lm -lpthread",
    "LIBS" => "-lm -lpthread", "DLDLIBS" => "-lc", "COMMON_LIBS" => "", "COMMON_MACROS" => "", "COMMON_HEADERS" => "",
    "EXTOUT" => ".ext", "EXTSTATIC" => "static", "ENCSTATIC" => "", "setup" => "Setup", "PREP" => "", "ARCHFILE" => "",

    "CC" => "cc", "CC_WRAPPER" => "", "CC_VERSION" => "$(CC) --version", "CXX" => "c++", "CPP" => "$(CC) -E",
    "LD" => "ld", "AS" => "as", "AR" => "ar", "ARFLAGS" => "rcD ", "NM" => "nm", "RANLIB" => "ranlib",
    "STRIP" => "strip -S -x", "OBJCOPY" => "objcopy", "OBJDUMP" => "objdump", "GCC" => "yes", "GNU_LD" => "yes",
    "cflags" => "$(hardenflags) $(optflags) $(debugflags) $(warnflags)", "cxxflags" => "$(optflags) $(debugflags)",
    "cppflags" => "", "optflags" => "-O3", "debugflags" => "-g",
    "warnflags" => "-Wall -Wno-unused-parameter -Wno-missing-field-initializers -Wno-cast-function-type",
    "strict_warnflags" => "", "hardenflags" => "", "CFLAGS" => "$(cflags) -fPIC", "CXXFLAGS" => "$(cxxflags) -fPIC",
    "CPPFLAGS" => "$(DEFS) $(cppflags)", "DEFS" => "", "LDFLAGS" => "-L.", "DLDFLAGS" => "",
    "ADDITIONAL_DLDFLAGS" => "", "EXTLDFLAGS" => "", "EXTDLDFLAGS" => "", "CCDLFLAGS" => "-fPIC",
    "LDSHARED" => "$(CC) -shared", "LDSHAREDXX" => "$(CXX) -shared", "DLDSHARED" => "$(CC) -shared", "LINK_SO" => "",
    "TRY_LINK" => "", "OUTFLAG" => "-o ", "COUTFLAG" => "-o ", "CSRCFLAG" => "", "CPPOUTFILE" => "-o conftest.i",
    "LIBPATHFLAG" => " -L%1$-s", "RPATHFLAG" => " -Wl,-rpath,%1$-s", "WERRORFLAG" => "-Werror", "incflags" => "",
    "STATIC" => "", "SYMBOL_PREFIX" => "", "EXPORT_PREFIX" => "", "POSTLINK" => ":", "cleanlibs" => "",
    "DLNOBJ" => "dln.o", "ALLOCA" => "", "DLLWRAP" => "", "WINDRES" => "", "USE_LLVM_WINDRES" => "", "codesign" => "",
    "dsymutil" => "", "try_header" => "try_compile", "PKG_CONFIG" => "pkg-config", "MKMF_VERBOSE" => "0",
    "MAKEFILES" => "Makefile GNUmakefile", "MANTYPE" => "doc", "SET_MAKE" => "",

    "INSTALL" => "/usr/bin/install -c", "INSTALL_PROGRAM" => "$(INSTALL)", "INSTALL_SCRIPT" => "$(INSTALL)",
    "INSTALL_DATA" => "$(INSTALL) -m 644", "MKDIR_P" => "/bin/mkdir -p", "MAKEDIRS" => "/bin/mkdir -p", "RM" => "rm -f",
    "RMALL" => "rm -fr", "RMDIR" => "rmdir --ignore-fail-on-non-empty",
    "RMDIRS" => "rmdir --ignore-fail-on-non-empty -p", "CP" => "cp", "CHDIR" => "cd -P", "LN_S" => "ln -s",
    "GREP" => "/bin/grep", "EGREP" => "/bin/grep -E", "ECHO_C" => "", "ECHO_N" => "-n", "ECHO_T" => "", "GIT" => "git",
    "HAVE_GIT" => "yes", "DOXYGEN" => "", "DOT" => "", "RUSTC" => "rustc", "CARGO" => ""
  }.each { |key, value| CONFIG[key] ||= +value }
  MAKEFILE_CONFIG = CONFIG.transform_values(&:dup)

  # Replaces references `$(key)`, `${key}` and `$(key:old=new)` in the string itself. A key that refers to itself is
  # left as it is the second time.
  def self.expand(value, config = CONFIG)
    expanded = value.gsub(/\$\$|\$\(([^()]+)\)|\$\{([^{}]+)\}/) do |reference|
      next "$" unless (key = $1 || $2)
      key, old, new = key.match(/\A([^:]+)(?::(.*?)=(.*))?\z/)&.captures
      next reference unless (text = config[key])
      config[key] = false
      text = config[key] = RbConfig.expand(text, config)
      old ? text.gsub(/#{Regexp.quote(old)}(?=\s|\z)/n) { new } : text
    end
    value.replace(expanded) unless expanded == value
    value
  end
  CONFIG.each_value { |value| expand(value) }

  # Changes a key and whatever refers to it; the keys that were affected, or nil.
  def self.fire_update!(key, value, makefile = MAKEFILE_CONFIG, config = CONFIG)
    return if makefile[key] == value
    makefile[key] = value
    affected = []
    found = [key]
    until found.empty?
      affected |= found
      names = found.join("|")
      reference = /\$\((?:#{names})\)|\$\{(?:#{names})\}/
      found = makefile.filter_map { |name, text| name if reference.match?(text) } - affected
    end
    affected.each { |name| config[name] = makefile[name].dup }
    affected.each { |name| expand(config[name]) }
    affected
  end

  def self.ruby = File.join(CONFIG["bindir"], CONFIG["ruby_install_name"] + CONFIG["EXEEXT"])

  autoload :SIZEOF, "rbconfig/sizeof"
  autoload :LIMITS, "rbconfig/sizeof"
end

CROSS_COMPILING = nil unless defined? CROSS_COMPILING
