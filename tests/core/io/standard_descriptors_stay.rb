# The descriptors of standard input, output and error stay open, whichever IO is closed.
reader, writer = IO.pipe
pid = fork do
  reader.close
  $stdout.reopen(writer)
  IO.for_fd(1).close
  IO.for_fd(1, "w").tap { |io| io.write("open") }.close
  $stdout.puts "."
  $stdout.flush
  exit! 0
end
writer.close
reader.read # => "open.\n"
Process.wait2(pid)[1].success? # => true
