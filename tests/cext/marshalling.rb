# Data of extensions that offers _dump_data and _load_data goes through Marshal.
require_relative "fixtures/build"
load_c("marshalling")
counter = Marshalling::Counter.new(7)
counter.instance_variable_set(:@name, "seven")
dumped = Marshal.dump([counter, counter])
dumped # => "\x04\b[\aId:\x19Marshalling::Counter[\ai\fI\"\nseven\x06:\x06ET\x06:\n@name@\b@\x06"
back = Marshal.load(dumped)
back[0].equal?(back[1]) # => true
back[0].count # => 7
back[0].instance_variable_get(:@name) # => "seven"
class Marshalling::Counter
  undef_method :_load_data
end
Marshal.load(dumped) # raises TypeError: class Marshalling::Counter needs to have instance method '_load_data'
class Marshalling::Counter
  undef_method :_dump_data
end
Marshal.dump(counter) # raises TypeError: no _dump_data is defined for class Marshalling::Counter
