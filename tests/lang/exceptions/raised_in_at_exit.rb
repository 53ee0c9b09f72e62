# An exception of an at_exit handler is told of with its causes, but without what the script or another handler came to.
def told(code)
  read, write = IO.pipe
  pid = spawn(RbConfig.ruby, "-e", code, err: write)
  write.close
  text = read.read
  Process.wait(pid)
  [text.scan(/: (\w+) \(\w+\)/).flatten, $?.exitstatus]
end
told('at_exit { raise "handler" }; raise "script"') # => [["handler", "script"], 1]
told('at_exit { raise "second" }; at_exit { raise "first" }') # => [["first", "second"], 1]
told('at_exit { begin; raise "inner"; rescue; raise "outer"; end }; raise "script"') # => [["outer", "inner", "script"], 1]
told('at_exit { raise "handler" }; exit 3') # => [["handler"], 1]
told('at_exit { abort }; begin; raise "cause"; rescue; raise "script"; end') # => [["script", "cause", "script", "cause"], 1]
