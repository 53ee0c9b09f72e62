# needs: 4.0
RUBY_VERSION # => "4.0.0"
RUBY_COPYRIGHT.class # => String
RUBY_PATCHLEVEL.class # => Integer
RUBY_PLATFORM.class # => String
