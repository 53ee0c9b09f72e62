# What RubyGems would have done had it been there from the start: the default gems are active whose features were
# required before, a `require` of the program's own stays in front of the one that RubyGems brings, and directories are
# those of the environment as it was, if it is another now.
lambda do |features, theirs, environment|
  if environment
    ::Gem.instance_exec do
      home, data = environment.values_at("HOME", "XDG_DATA_HOME")
      @user_home ||= ::File.expand_path(home) if home
      @data_home ||= data || ::File.join(@user_home, ".local", "share") if home
      @paths = ::Gem::PathSupport.new(environment)
    end
  end
  find = ::Gem.respond_to?(:find_default_spec) ? :find_default_spec : :find_unresolved_default_spec
  active = ::Gem.loaded_specs
  names = features.filter_map do |feature|
    spec = ::Gem.__send__(find, feature) or next
    ::Kernel.__send__(:gem, spec.name, ::Gem::Requirement.default_prerelease) unless active[spec.name]
    spec.name
  end
  # Some it has found active by itself: the order is that in which they were required.
  names.uniq.each { |name| active[name] = active.delete(name) }
  brought = ::Kernel.instance_method(:require)
  brought = brought.super_method until ::Kernel.equal?(brought.owner)
  # What has an alias is replaced without a warning.
  if theirs
    ::Kernel.module_eval { alias_method(:require, :require) && define_method(:require, theirs) && private(:require) }
  end
  brought
end
