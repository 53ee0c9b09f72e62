module RbConfig
  exe = File.readlink("/proc/self/exe")
  name = File.basename(exe)
  bindir = File.dirname(exe)
  library = $LOAD_PATH.find { |dir| File.exist?("#{dir}/optparse.rb") } || "/usr/lib/ruby"
  major, minor, teeny = RUBY_VERSION.split(".")

  TOPDIR = File.dirname(bindir)
  DESTDIR = ""
  CONFIG = {
    "MAJOR" => major, "MINOR" => minor, "TEENY" => teeny, "PATCHLEVEL" => "0",
    "ruby_install_name" => name, "RUBY_INSTALL_NAME" => name, "RUBYW_INSTALL_NAME" => "", "RUBY_BASE_NAME" => "ruby",
    "RUBY_SO_NAME" => "ruby", "RUBY_PROGRAM_VERSION" => RUBY_VERSION, "ruby_version" => "#{major}.#{minor}.0", "RUBY_API_VERSION" => "#{major}.#{minor}",
    "bindir" => bindir, "prefix" => TOPDIR, "exec_prefix" => TOPDIR, "libdir" => "#{TOPDIR}/lib",
    "rubylibdir" => library, "rubyarchdir" => library, "archdir" => library, "topdir" => library,
    "sitedir" => "/usr/local/lib/site_ruby", "sitelibdir" => "/usr/local/lib/site_ruby/#{major}.#{minor}.0", "sitearchdir" => "/usr/local/lib/site_ruby/#{major}.#{minor}.0",
    "vendordir" => "/usr/lib/ruby/vendor_ruby", "vendorlibdir" => "/usr/lib/ruby/vendor_ruby", "vendorarchdir" => "/usr/lib/ruby/vendor_ruby",
    "datadir" => "#{TOPDIR}/share", "mandir" => "#{TOPDIR}/share/man", "sysconfdir" => "/etc", "localstatedir" => "/var",
    "EXEEXT" => "", "DLEXT" => "so", "SOEXT" => "so", "LIBEXT" => "a", "OBJEXT" => "o", "PATH_SEPARATOR" => ":",
    "host_os" => "linux", "target_os" => "linux", "build_os" => "linux", "host" => RUBY_PLATFORM, "host_cpu" => RUBY_PLATFORM[/\A[^-]+/], "target_cpu" => RUBY_PLATFORM[/\A[^-]+/],
    "arch" => RUBY_PLATFORM, "sitearch" => RUBY_PLATFORM, "build" => RUBY_PLATFORM, "SHELL" => "/bin/sh", "CC" => "cc", "CFLAGS" => "", "configure_args" => "",
    "LIBRUBY" => "", "LIBRUBYARG" => "", "ENABLE_SHARED" => "no", "AR" => "ar", "srcdir" => ""
  }
  MAKEFILE_CONFIG = CONFIG.dup
  SIZEOF = { "int" => 4, "short" => 2, "long" => 8, "long long" => 8, "void*" => 8, "size_t" => 8, "time_t" => 8, "float" => 4, "double" => 8, "off_t" => 8 }
  LIMITS = {
    "FIXNUM_MAX" => 4611686018427387903, "FIXNUM_MIN" => -4611686018427387904, "INT_MAX" => 2147483647, "INT_MIN" => -2147483648, "UINT_MAX" => 4294967295,
    "LONG_MAX" => 9223372036854775807, "LONG_MIN" => -9223372036854775808, "ULONG_MAX" => 18446744073709551615,
    "LLONG_MAX" => 9223372036854775807, "LLONG_MIN" => -9223372036854775808, "SHRT_MAX" => 32767, "SHRT_MIN" => -32768, "CHAR_BIT" => 8,
    "INT64_MAX" => 9223372036854775807, "INT64_MIN" => -9223372036854775808, "SIZE_MAX" => 18446744073709551615, "INT32_MAX" => 2147483647, "INT32_MIN" => -2147483648
  }

  def self.ruby = File.join(CONFIG["bindir"], CONFIG["ruby_install_name"] + CONFIG["EXEEXT"])

  def self.expand(value, config = CONFIG)
    value.gsub(/\$\((\w+)\)|\$\{(\w+)\}/) { config[$1 || $2] || $& }
  end

  def self.fire_update!(key, value, *)
    CONFIG[key] = value
  end
end
