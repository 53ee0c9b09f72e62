# A child has none of its parent's waiters: it closes and uses IOs that other threads wait for or write to.
# timeout: 30
settle = ->(threads) { sleep 0.005 until threads.all? { |t| t.status == "sleep" } }
r, w = IO.pipe
full_r, full_w = IO.pipe
readers = (0...3).map { Thread.new { r.read(1) } }
writer = Thread.new { full_w.write("x" * 200_000) }
settle.call(readers + [writer])
out_r, out_w = IO.pipe
pid = fork do
  r.close
  full_w.close
  out_w.write("done")
  exit!(0)
end
Process.wait(pid)
$?.exitstatus # => 0
out_w.close
out_r.read # => "done"
w.write("abc")
readers.map(&:value).sort # => ["a", "b", "c"]
rest = Thread.new { full_r.read }
writer.join
full_w.close
rest.value.count("x") >= 130_000 # => true
