# A child forked while other threads are stuck in puts, gets, select and copies of the standard streams uses these
# streams itself.
# timeout: 30
# Its output is read when it says that it has forked.
def program
  out_reader, out_writer = IO.pipe
  in_reader, in_writer = IO.pipe
  forked, $forked = IO.pipe
  pid = fork do
    [out_reader, in_writer, forked].each(&:close)
    $stdout.reopen(out_writer)
    $stdin.reopen(in_reader)
    [out_writer, in_reader].each(&:close)
    yield
  end
  out_writer.close
  in_reader.close
  forked.readpartial(1)
  output = out_reader.read.squeeze.lines.tally
  [in_writer, out_reader, forked, $forked].each(&:close)
  [output, Process.wait2(pid)[1].exitstatus]
end
def stuck(&)
  begun = false
  thread = Thread.new { begun = true; yield }
  Thread.pass until begun && thread.status != "run"
  thread
end
LINE = "x" * 999

# In the middle of puts.
outcome = program do
  $stdout.sync = true
  threads = Array.new(2) { stuck { $stdout.puts([LINE] * 100) } }
  children = Array.new(5) { |i| fork { $stdout.puts("child"); exit!(i) if i > 2 } }
  $forked.write("f")
  threads.each(&:join)
  exit(children.sum { Process.wait2(it)[1].exitstatus })
end
outcome # => [{"x\n" => 200, "child\n" => 5}, 7]

# A child that ends by exit! without having flushed has written nothing.
outcome = program do
  thread = stuck { $stdout.write("#{LINE}\n" * 100) }
  pid = fork { $stdout.sync = false; $stdout.print("lost"); exit!(2) }
  $forked.write("f")
  status = Process.wait2(pid)[1].exitstatus
  thread.join
  exit(status)
end
outcome # => [{"x\n" => 100}, 2]

# In gets, a select and a copy.
outcome = program do
  waiting = [stuck { $stdin.gets }, stuck { IO.select([$stdin]) }, stuck { $stdin.wait_readable },
             stuck { IO.copy_stream($stdin, IO::NULL) }]
  reader, writer = IO.pipe
  child = fork do
    answers = [$stdin.read_nonblock(1, exception: false), IO.select([$stdin], nil, nil, 0)]
    $stdin.reopen(reader)
    writer.puts("for the child")
    answers << $stdin.gets
    $stdin.close
    $stdout.puts(answers.inspect)
    $stdout.close
  end
  $forked.write("f")
  Process.wait(child)
  waiting.each(&:kill).each(&:join)
  exit($?.exitstatus)
end
outcome # => [{"[:wait_readable, nil, \"for the child\\n\"]\n" => 1}, 0]

# A thread and an at_exit handler of the child.
outcome = program do
  thread = stuck { 100.times { $stdout.puts(LINE) } }
  child = fork do
    Thread.new { $stdout.puts("thread") }.join
    $stdout.flush
    at_exit { $stdout.puts("at_exit") }
  end
  $forked.write("f")
  status = Process.wait2(child)[1].exitstatus if thread.join
  exit(status)
end
outcome # => [{"x\n" => 100, "thread\n" => 1, "at_exit\n" => 1}, 0]
