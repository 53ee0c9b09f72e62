# IO#expect reads until the text fits; what was read in vain stays for the next call.
require "expect"
reader, writer = IO.pipe
writer << "login: ada\npassword: "
reader.expect("login: ") # => ["login: "]
reader.expect(/(\w+)\n/) # => ["ada\n", "ada"]
reader.expect(/never/, 0) # => nil
reader.expect(/(pass)(word)?/) { |result| result } # => nil
writer << "x+y"
reader.expect("+") # => ["word: x+"]
result = nil
reader.expect(/y/) { result = it }
result # => ["y"]
writer << "tail"
writer.close
reader.expect(/no/) # => nil
reader.expect(/ai/) # => ["tai"]
reader.expect(/l(.)?/) # => ["l", nil]
reader.expect(/l/) # => nil
reader.expect("l") { result = it }
result # => nil

require "pty"
PTY.spawn("sh", "-c", "printf 'name? '; read x; echo hello $x") do |output, input, pid|
  output.expect("? ") # => ["name? "]
  input.puts("ada")
  output.expect(/hello (\w+)\s/)[1] # => "ada"
  Process.wait(pid)
end
