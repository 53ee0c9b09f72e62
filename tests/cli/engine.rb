# needs: 4.0
# The name by which gems choose is CRuby's, unless an option or a variable says otherwise.
RUBY_ENGINE # => "ruby"
RUBY_ENGINE_VERSION == RUBY_VERSION # => true
RUBY_DESCRIPTION.start_with?("rubellite ") # => true
RUBY_DESCRIPTION.include?(Rubellite::VERSION) # => true
[Ruby::ENGINE, RUBY_ENGINE.frozen?, Rubellite::VERSION.frozen?] # => ["ruby", true, true]

def answer(*words, **variables)
  IO.popen([variables.transform_keys(&:to_s), RbConfig.ruby, *words, "-e",
            "print RUBY_ENGINE, ' ', RUBY_ENGINE_VERSION == Rubellite::VERSION, ' ', Ruby::ENGINE"], &:read)
end
answer("--engine=rubellite") # => "rubellite true rubellite"
answer("--engine", "other") # => "other true other"
answer(RUBELLITE_ENGINE: "rubellite") # => "rubellite true rubellite"
answer("--engine=ruby", RUBELLITE_ENGINE: "rubellite") # => "ruby false ruby"
answer(RUBELLITE_ENGINE: "") # => "ruby false ruby"

# Directories of gems are named by it, as elsewhere, and by an interface that is not CRuby's.
Gem.user_dir.end_with?("/ruby/#{RbConfig::CONFIG["ruby_version"]}") # => true
RbConfig::CONFIG["ruby_version"] # => "4.0.0+rubellite2"
def gems(*words)
  IO.popen([RbConfig.ruby, *words, "-e",
            "print Gem.default_exec_format, ' ', Gem::Specification.find_by_name('rake').default_gem?"], &:read)
end
gems("--engine=other") # => "%s false"
