# A name of a constant that is no Symbol is a String; a singleton class shows its class as that shows itself.
Object.const_get(nil) # raises TypeError: no implicit conversion of nil into String
Object.const_defined?(3) # raises TypeError: no implicit conversion of Integer into String
Object.const_get("a".encode("UTF-16LE")) # raises ArgumentError: invalid class path encoding (non ASCII)
Class.new { def self.inspect = "#<mine>" }.singleton_class # => #<Class:#<mine>>
