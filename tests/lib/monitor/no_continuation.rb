# needs: 4.0
# There are no continuations, and the library says so.
require "continuation" # raises LoadError: cannot load such file -- continuation
respond_to?(:callcc, true) # => false
