# Two arguments: no name has a NUL byte
File.open("/dev/null", "w") do |io|
  io.set_encoding("utf-8\0x", "utf-16") # raises ArgumentError: invalid encoding name (NUL byte)
  io.set_encoding("utf-8", "utf\0-16") # raises ArgumentError: invalid encoding name (NUL byte)
end
