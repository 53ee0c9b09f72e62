# `initialize_copy` of what is frozen.
record = Struct.new(:foo)
record.new.freeze.send(:initialize_copy, record.new) # raises FrozenError
File.stat(".").freeze.send(:initialize_copy, File.stat("/")) # raises FrozenError
File.open("/dev/null").freeze.send(:initialize_copy, File.open("/dev/null")) # raises FrozenError
record.new.freeze.dup.frozen? # => false
record.new(1).clone.foo # => 1
