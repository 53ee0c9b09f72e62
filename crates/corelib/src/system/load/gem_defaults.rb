# What RubyGems asks of a Ruby that is not CRuby, whatever RUBY_ENGINE says.

module Gem
  # Executables of gems keep their names.
  def self.default_exec_format = "%s"

  # Directories of users and of Bundler carry it: extensions in them are not those of CRuby.
  def self.ruby_engine = "rubellite"

  # With the library of another Ruby, what its packages have installed belongs to it.
  unless RbConfig::CONFIG["rubylibprefix"] == "/usr/lib/ruby"
    # Debian installs Ruby packages for every Ruby: specifications here, the files of many of them there.
    SYSTEM_GEMS = "/usr/share/rubygems-integration/all"
    SYSTEM_FEATURES = "/usr/lib/ruby/vendor_ruby"
    private_constant :SYSTEM_GEMS, :SYSTEM_FEATURES

    singleton_class.prepend(Module.new do
      def default_path
        File.directory?(SYSTEM_GEMS) ? super | [SYSTEM_GEMS] : super
      end

      # What neither the library nor any gem has.
      def try_activate(path)
        return true if super
        return false if $LOAD_PATH.include?(SYSTEM_FEATURES) || !File.file?(File.join(SYSTEM_FEATURES, path.delete_suffix(".rb") + ".rb"))
        $LOAD_PATH << SYSTEM_FEATURES
        true
      end
    end)
  end
end
