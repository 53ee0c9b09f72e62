# Advice that the system refuses is an error.
r, w = IO.pipe
r.advise(:normal) # raises Errno::ESPIPE: Illegal seek -  (0, 0, normal)
File.open("/") { |file| file.advise(:normal, -1, -1) } # raises Errno::EINVAL: Invalid argument - / (-1, -1, normal)
File.open("/") { |file| file.advise(:normal) } # => nil
r.ioctl(2**70, 0) # raises RangeError: bignum too big to convert into 'unsigned long'
r.close
w.close
