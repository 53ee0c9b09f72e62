# Several objects written to a stream without a buffer go to the system together, in order.
reader, writer = IO.pipe
writer.sync = true
collected = Thread.new { reader.read }
writer.write("a", :b, 3, nil, "", "é") # => 5
writer.write # => 0
writer.write("x" * 70_000, "y", "z" * 66_000) # => 136001
writer.write(*["q"] * 100_000) # => 100000
bad = Object.new
def bad.to_s = raise("no text")
writer.write("kept back", bad) # raises RuntimeError: no text
writer.close
text = collected.value
text.bytesize # => 236006
text[0, 6] # => "ab3éxx"
text.include?("xyz") # => true
text.end_with?("zq" + "q" * 99_999) # => true
writer.write("a", "b") # raises IOError: closed stream
