# Writers that wait for one that is stuck: a close ends them all, a kill takes back what its thread has not written, the
# others go on in order.
# timeout: 30
def stuck(writer, texts)
  texts.map do |text|
    thread = Thread.new do
      writer.write(text)
    rescue IOError => error
      error.message
    end
    Thread.pass until thread.stop?
    thread
  end
end
[true, false].each do |sync|
  [1, 2].each do |closers|
    reader, writer = IO.pipe
    writer.sync = sync
    writers = stuck(writer, ["x" * 100_000] * 4)
    Array.new(closers) { Thread.new { writer.close } }.map { it.join.value }.uniq # => [nil]
    writers.map(&:value).sort # => ["closed stream", "closed stream", "closed stream", "stream closed in another thread"]
    reader.read.size # => 65536
    reader.close
  end
end

reader, writer = IO.pipe
writers = stuck(writer, %w[a b c d].map { it * 100_000 })
writers[1].kill.join.equal?(writers[1]) # => true
eater = Thread.new { reader.read }
writers.map(&:value) # => [100000, nil, 100000, 100000]
writer.close
eater.value.squeeze # => "acd"
reader.close
