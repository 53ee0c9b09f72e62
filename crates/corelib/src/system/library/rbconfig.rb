module RbConfig
  exe = File.readlink("/proc/self/exe")
  name = File.basename(exe)
  bindir = File.dirname(exe)
  library = $LOAD_PATH.find { |dir| File.exist?("#{dir}/optparse.rb") } || "/usr/lib/ruby"
  major, minor, teeny = RUBY_VERSION.split(".")
  # The version of the installed library, which names the directories of gems that go with it.
  version = library[/\/(\d+\.\d+\.\d+)\z/, 1] || "#{major}.#{minor}.0"

  TOPDIR = File.dirname(bindir)
  DESTDIR = ""
  CONFIG = {
    "MAJOR" => major, "MINOR" => minor, "TEENY" => teeny, "PATCHLEVEL" => "0",
    "ruby_install_name" => name, "RUBY_INSTALL_NAME" => name, "RUBYW_INSTALL_NAME" => "", "RUBY_BASE_NAME" => "ruby",
    "RUBY_SO_NAME" => "ruby", "RUBY_PROGRAM_VERSION" => RUBY_VERSION, "ruby_version" => version, "RUBY_API_VERSION" => "#{major}.#{minor}",
    "bindir" => bindir, "prefix" => TOPDIR, "exec_prefix" => TOPDIR, "libdir" => "#{TOPDIR}/lib",
    "rubylibprefix" => File.dirname(library), "rubylibdir" => library, "rubyarchdir" => library, "archdir" => library, "topdir" => library,
    "sitedir" => "/usr/local/lib/site_ruby", "sitelibdir" => "/usr/local/lib/site_ruby/#{major}.#{minor}.0", "sitearchdir" => "/usr/local/lib/site_ruby/#{major}.#{minor}.0",
    "vendordir" => "/usr/lib/ruby/vendor_ruby", "vendorlibdir" => "/usr/lib/ruby/vendor_ruby", "vendorarchdir" => "/usr/lib/ruby/vendor_ruby",
    "datadir" => "#{TOPDIR}/share", "mandir" => "#{TOPDIR}/share/man", "sysconfdir" => "/etc", "localstatedir" => "/var",
    "EXEEXT" => "", "EXECUTABLE_EXTS" => "", "DLEXT" => "so", "SOEXT" => "so", "LIBEXT" => "a", "OBJEXT" => "o", "PATH_SEPARATOR" => ":",
    "host_os" => "linux", "target_os" => "linux", "build_os" => "linux", "host" => RUBY_PLATFORM, "host_cpu" => RUBY_PLATFORM[/\A[^-]+/], "target_cpu" => RUBY_PLATFORM[/\A[^-]+/],
    "arch" => RUBY_PLATFORM, "sitearch" => RUBY_PLATFORM, "build" => RUBY_PLATFORM, "SHELL" => "/bin/sh", "CC" => "cc", "CFLAGS" => "", "configure_args" => "",
    "LIBRUBY" => "", "LIBRUBYARG" => "", "ENABLE_SHARED" => "no", "AR" => "ar", "srcdir" => ""
  }
  MAKEFILE_CONFIG = CONFIG.dup
  autoload :SIZEOF, "rbconfig/sizeof"
  autoload :LIMITS, "rbconfig/sizeof"

  def self.ruby = File.join(CONFIG["bindir"], CONFIG["ruby_install_name"] + CONFIG["EXEEXT"])

  def self.expand(value, config = CONFIG)
    value.gsub(/\$\((\w+)\)|\$\{(\w+)\}/) { config[$1 || $2] || $& }
  end

  def self.fire_update!(key, value, *)
    CONFIG[key] = value
  end
end
