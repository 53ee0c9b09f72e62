# Colons belong to `%z`. Four of them are passed over; others are text, and what follows them is read on.
time = Time.utc(2000, 1, 2, 3, 4, 5)
time.strftime("%:z %::z %:::z|%::::z|%:::::z") # => "+00:00 +00:00:00 +00|%::::z|+00:00"
time.strftime("%:d|%::d|%::::d|%::::5d|%:::::::d|%::::::::d") # => "%:d|%::d|02|00002|%:::::::d|02"
time.strftime("%:%x") # => "%:01/02/00"
time.strftime("%:%") # raises ArgumentError: invalid format: %:%
time.strftime("%::::") # raises ArgumentError: invalid format: %::::
time.strftime("%:::") # => "%:::"
# The flag `-` is about numbers: other directives are as wide as they are told to be.
time.strftime("[%-10X|%-10D|%-20v|%-5d]") # => "[  03:04:05|  01/02/00|          2-JAN-2000|2]"
