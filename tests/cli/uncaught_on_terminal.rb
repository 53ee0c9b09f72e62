# Uncaught exceptions are highlighted on a terminal, those of threads too;
# where the exception's own methods fail there is its class's name.
require "pty"
def told(code, terminal: true)
  reader, writer = terminal ? PTY.open : IO.pipe
  pid = spawn(RbConfig.ruby, "-e", code, err: writer, out: File::NULL)
  writer.close
  text = +""
  begin
    loop { text << reader.readpartial(4096) }
  rescue EOFError, Errno::EIO
  end
  Process.wait(pid)
  text.gsub("\r\n", "\n").gsub(/0x\h+/, "0xXX")
end
told('raise "a\nb"') # => "-e:1:in '<main>': \e[1ma (\e[1;4mRuntimeError\e[m\e[1m)\e[m\n\e[1mb\e[m\n"
told("def (e = StandardError.new).message = raise; raise e") # => "-e:1:in '<main>': \e[1;4mStandardError\e[m\n"
told("def (e = StandardError.new).message = raise; raise e", terminal: false) # => "-e:1:in '<main>': StandardError\n"
told('def (e = RuntimeError.new("x")).detailed_message(**) = raise; raise e', terminal: false) # => "-e:1:in '<main>': RuntimeError\n"
told('def (e = RuntimeError.new("x")).backtrace = raise; raise e', terminal: false) # => "-e: x (RuntimeError)\n"
told('Thread.new { Thread.current.name = "t"; raise "x" }.join rescue 0').lines.last # => "-e:1:in 'block in <main>': \e[1mx (\e[1;4mRuntimeError\e[m\e[1m)\e[m\n"
told('Thread.new { raise "x" }.join rescue 0', terminal: false).lines.last # => "-e:1:in 'block in <main>': x (RuntimeError)\n"
