# needs: 4.0
Ruby::VERSION == RUBY_VERSION # => true
Ruby::ENGINE == RUBY_ENGINE # => true
Ruby::PLATFORM == RUBY_PLATFORM # => true
