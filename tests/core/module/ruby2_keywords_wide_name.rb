# A name in a wide encoding is shown by its characters, and a module finds the methods of Object as others' own.
# stderr: warning: Skipping set of ruby2_keywords flag for abcdef (method not defined in Ruby)
# stderr: warning: Skipping set of ruby2_keywords flag for system (can only set in method defining module)
wide = "abcdef".encode("UTF-16LE").to_sym
Class.new do
  define_method(wide, instance_method(:itself))
  ruby2_keywords(wide) # => nil
end
Module.new do
  ruby2_keywords(:system) # => nil
end
