# Names in other encodings than UTF-8 are readable in messages.
name = "Été".encode("ISO-8859-1")
Object.const_set(name, Class.new)
Object.const_get(name).new.missing # raises NoMethodError: undefined method 'missing' for an instance of Été
