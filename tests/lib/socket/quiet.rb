require "rbconfig"
IO.popen([RbConfig.ruby, "-w", "-r", "socket", "-e", ""], err: %i[child out], &:read) # => ""
