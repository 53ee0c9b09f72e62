# Concurrency of an interpreter under 0..N threads: throughput of three kinds of work, latency of a thread that answers
# datagrams beside them, and how many datagrams it can take in. Runs unchanged on any Ruby with threads.
#
#   ruby ccbench.rb [throughput] [latency] [bandwidth] [--threads N] [--seconds S] [--save FILE]
#   ruby ccbench.rb --compare FILE FILE...     draws saved results side by side
require "rbconfig"
require "socket"
require "zlib"

module CCBench
  INTERVAL = 0.005

  # Each kind of work is a lambda that does one unit of some hundred microseconds.
  WORK = {
    "pi digits" => lambda do
      numerator, accumulator, denominator = 1, 0, 1
      1.upto(60) do |k|
        odd = 2 * k + 1
        accumulator = (accumulator + 2 * numerator) * odd
        denominator *= odd
        numerator *= k
      end
      (3 * numerator + accumulator) / denominator
    end,
    "regexp" => begin
      text = "key=value; other=12345, name='some words' # trailing note\n" * 30
      -> { text.scan(/(\w+)=('[^']*'|\w+)/).size }
    end,
    "deflate" => begin
      data = Array.new(20_000) { |i| ((i * i + i / 7) % 251).chr }.join
      -> { Zlib::Deflate.deflate(data).bytesize }
    end,
  }.freeze

  Result = Struct.new(:kind, :work, :threads, :figure, :unit) do
    def line = to_a.join("\t")
    def self.parse(line) = line.chomp.split("\t").then { |k, w, t, f, u| new(k, w, t.to_i, f.to_f, u) }
  end

  module_function

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # Runs the block beside `count` threads that do `work` until it returns; gives the block's value.
  def beside(count, work)
    stop = false
    threads = Array.new(count) { Thread.new { work.call until stop } }
    yield
  ensure
    stop = true
    threads&.each(&:join)
  end

  def throughput(work, count, seconds)
    deadline = now + seconds
    start = now
    done = Array.new(count) do
      Thread.new do
        units = 0
        while now < deadline
          work.call
          units += 1
        end
        units
      end
    end.sum(&:value)
    done / (now - start)
  end

  # Another process sends datagrams that carry the time of their sending, `interval` apart.
  def with_sender(socket, interval)
    sender = IO.popen([RbConfig.ruby, __FILE__, "--send", socket.addr[1].to_s, interval.to_s], "r+")
    sender.gets
    yield
  ensure
    if sender
      Process.kill(:KILL, sender.pid)
      sender.close
    end
  end

  def send_datagrams(port, interval)
    socket = UDPSocket.new
    socket.connect("127.0.0.1", port)
    puts "ready"
    $stdout.flush
    loop do
      socket.send([now].pack("G").ljust(32, "."), 0)
      sleep interval if interval > 0
    rescue Errno::ECONNREFUSED
      exit
    end
  end

  def latencies(work, count, seconds)
    UDPSocket.open do |socket|
      socket.bind("127.0.0.1", 0)
      with_sender(socket, INTERVAL) do
        beside(count, work) do
          found = []
          deadline = now + seconds
          while now < deadline
            sent = socket.recvfrom(64).first.unpack1("G")
            found << now - sent
          end
          # The first ones met threads that were still starting.
          found.drop(found.size / 10).sort
        end
      end
    end
  end

  def bandwidth(work, count, seconds)
    UDPSocket.open do |socket|
      socket.bind("127.0.0.1", 0)
      with_sender(socket, 0) do
        beside(count, work) do
          start = now
          taken = 0
          while now - start < seconds
            socket.recvfrom(64)
            taken += 1
          end
          taken / (now - start)
        end
      end
    end
  end

  def measure(kinds, max_threads, seconds)
    results = []
    add = lambda do |*fields|
      results << Result.new(*fields)
      puts format("%-10s %-10s %2d threads %12.1f %s", *fields.first(3), *fields.last(2))
    end
    WORK.each do |name, work|
      (1..max_threads).each { |n| add.call("throughput", name, n, throughput(work, n, seconds), "units/s") } if kinds.include?("throughput")
      (0..max_threads).each do |n|
        if kinds.include?("latency")
          found = latencies(work, n, seconds)
          unless found.empty?
            add.call("latency50", name, n, found[found.size / 2] * 1e6, "us")
            add.call("latency99", name, n, found[found.size * 99 / 100] * 1e6, "us")
          end
        end
        add.call("bandwidth", name, n, bandwidth(work, n, seconds), "datagrams/s") if kinds.include?("bandwidth")
      end
    end
    results
  end

  # One block of bars for each kind and work; bars are logarithmic, because the figures span decades.
  def compare(files)
    runs = files.to_h { |file| [File.basename(file, ".*"), File.readlines(file).map { |line| Result.parse(line) }] }
    width = runs.keys.map(&:size).max
    runs.values.flatten.group_by { |r| [r.kind, r.work, r.unit] }.each do |(kind, work, unit), all|
      puts "\n#{kind}, #{work} (#{unit})"
      low, high = all.map { |r| Math.log10([r.figure, 0.1].max) }.minmax
      all.map(&:threads).uniq.sort.each do |threads|
        runs.each do |name, results|
          result = results.find { |r| [r.kind, r.work, r.threads] == [kind, work, threads] } or next
          share = (Math.log10([result.figure, 0.1].max) - low) / [high - low, 0.001].max
          puts format("%2d  %-*s %12.1f %s", threads, width, name, result.figure, "#" * (1 + 40 * share).round)
        end
      end
    end
  end

  def main(argv)
    return send_datagrams(argv[1].to_i, argv[2].to_f) if argv.first == "--send"
    return compare(argv.drop(1)) if argv.first == "--compare"

    options = { "--threads" => "4", "--seconds" => "1", "--save" => nil }
    options.each_key do |name|
      at = argv.index(name) or next
      options[name] = argv[at + 1]
      argv.slice!(at, 2)
    end
    kinds = argv.empty? ? %w[throughput latency bandwidth] : argv
    puts RUBY_DESCRIPTION
    results = measure(kinds, options["--threads"].to_i, options["--seconds"].to_f)
    File.write(options["--save"], results.map { |r| "#{r.line}\n" }.join) if options["--save"]
  end
end

CCBench.main(ARGV)
