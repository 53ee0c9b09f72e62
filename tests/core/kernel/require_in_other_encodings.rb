# encoding: UTF-8
# The message about a file that is not there has the encoding of its path.
def message
  yield
rescue LoadError => error
  error.message
end
text = "\x82\xA0".dup.force_encoding("Windows-31J")
said = message { require text }
said.encoding # => #<Encoding:Windows-31J>
said.end_with?(text) # => true
message { load("./#{text}").nil? }.encoding # => #<Encoding:Windows-31J>
message { require "\u221E" }.end_with?("\u221E") # => true
path = "/tmp/rubellite-\x82\xA0#{$$}.rb".dup.force_encoding("Windows-31J")
File.write(path, "$loaded = true")
load(path) # => true
$loaded # => true
File.unlink(path)
