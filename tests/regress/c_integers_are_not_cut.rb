# Numbers that the system takes as C ints are refused when they are none.
require "etc"
Etc.getpwuid(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
Etc.getgrgid(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'unsigned int'
Etc.sysconf(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Process.getrlimit(2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
File.dirname("/a/b", 2**40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Time.utc(2000).xmlschema(2**40) # raises NoMemoryError
