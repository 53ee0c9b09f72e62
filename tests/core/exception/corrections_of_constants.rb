# What DidYouMean's checker for constants gives programs that ask it:
# Strings, with what is to be written before the name
require "did_you_mean"

module Outer
  module Inner
    class ABC; end
  end
end
error = Outer::Inner.const_get(:Abc) rescue $!
checker = DidYouMean::ClassNameChecker.new(error)
checker.corrections # => ["Outer::Inner::ABC"]
checker.corrections[0].casecmp?("outer::inner::abc") # => true
String === checker.corrections[0] # => true
checker.class_name # => :Abc
checker.scopes # => [Object, Outer, Outer::Inner]
found = checker.class_names.find { |name| name == "ABC" }
found.namespace # => "Outer::Inner::"
found.full_name # => "Outer::Inner::ABC"
DidYouMean::ClassNameChecker::ClassName # raises NameError: private constant DidYouMean::ClassNameChecker::ClassName referenced
DidYouMean.formatter.message_for(checker.corrections) # => "\nDid you mean?  Outer::Inner::ABC"
missing = Strng rescue $!
missing.detailed_message(highlight: false).lines.last # => "Did you mean?  String"
