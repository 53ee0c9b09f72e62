# Concurrency of an interpreter beside 0, 1, 2, 4 ... threads that compute: what they get done together, how long a
# thread that waits for the outside world waits for the interpreter as well, and how much input and output it gets done.
# After Antoine Pitrou's program of the same name for Python. Runs unchanged on any Ruby with threads.
#
#   ruby ccbench.rb --help
#
# `--with` measures each of the named Rubies in turn with this one. This file measures; `figures.rb` says what the
# figures of several runs come to, and `page.rb` draws them.
require "optparse"
require "rbconfig"
require "tmpdir"

module CCBench
  KINDS = %w[throughput latency roundtrip bandwidth reads].freeze
  WORK = %w[pi regexp deflate].freeze
  INTERVAL = 0.005
  WARM_UP = 0.2

  # A time between two readings of the clock from which on the processor was with somebody else, in nanoseconds.
  GAP = 50_000

  # A figure: what was measured beside how many threads, and the share of their throughput that those kept.
  Result = Struct.new(:kind, :work, :threads, :figure, :unit, :kept) do
    def line
      to_a.join("\t")
    end

    def self.parse(line)
      kind, work, threads, figure, unit, kept = line.chomp.split("\t", -1)
      new(kind, work, threads.to_i, figure.to_f, unit, kept.to_s.empty? ? nil : kept.to_f)
    end

    def better_high?
      unit.end_with?("/s")
    end
  end

  module_function

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # Loads a library, or says what is left out without it.
  def library(name, without)
    require name
    true
  rescue LoadError
    yield "no #{name}: #{without} left out"
    false
  end

  # -- the work ---------------------------------------------------------------------------

  # Each kind of work is a lambda that does one unit of some hundred microseconds: Ruby code, a native method that is
  # not made to run beside others, and one that is.
  def work(&skipped)
    text = "key=value; other=12345, name='some words' # trailing note\n" * 30
    data = Array.new(20_000) { |i| ((i * i + i / 7) % 251).chr }.join
    found = { "pi" => method(:pi_digits).to_proc, "regexp" => -> { text.scan(/(\w+)=('[^']*'|\w+)/).size } }
    found["deflate"] = -> { Zlib::Deflate.deflate(data).bytesize } if library("zlib", "the work deflate", &skipped)
    found
  end

  # Gibbons's spigot: the first digits of pi, in Ruby.
  def pi_digits(count = 40)
    q, r, t, k, n, l = 1, 0, 1, 1, 3, 3
    digits = []
    while digits.size < count
      if 4 * q + r - t < n * t
        digits << n
        q, r, n = 10 * q, 10 * (r - n * t), 10 * (3 * q + r) / t - 10 * n
      else
        q, r, t, k, n, l = q * k, (2 * q + r) * l, t * l, k + 1, (q * (7 * k + 2) + r * l) / (t * l), l + 2
      end
    end
    digits
  end

  # -- the machine ------------------------------------------------------------------------

  # What a loop that needs nothing from anybody loses on this machine: the share of the time for which it was kept from
  # running, the longest such time in microseconds, the speed of its slow tenths of a second against its fast ones, and
  # how late it is woken from a sleep, in the middle and in one of a hundred cases, in microseconds. All that is none of
  # any Ruby's doing.
  def idle(seconds)
    lost = longest = 0
    pieces = []
    start = last = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    10.times do |i|
      stop = start + (seconds * 1e8 * (i + 1)).to_i
      turns = 0
      while last < stop
        time = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
        gap = time - last
        lost += gap if gap > GAP
        longest = gap if gap > longest
        last = time
        turns += 1
      end
      pieces << turns
    end
    pieces.sort!
    late = Array.new((seconds / INTERVAL / 2).ceil) { before = now; sleep INTERVAL; now - before - INTERVAL }.sort
    [lost / (last - start).to_f, longest / 1e3, pieces[1].fdiv(pieces[-2]), percentile(late, 50) * 1e6,
     percentile(late, 99) * 1e6]
  end

  # -- measuring --------------------------------------------------------------------------

  # Runs the block beside `count` threads that do `work` until it returns: the block's value,
  # and their units per second.
  def beside(count, work)
    stop = false
    units = Array.new(count, 0)
    threads = Array.new(count) { |i| Thread.new { (work.call; units[i] += 1) until stop } }
    sleep WARM_UP if count > 0
    before = units.sum
    start = now
    value = yield
    [value, (units.sum - before) / (now - start)]
  ensure
    stop = true
    threads.each(&:join) if threads
  end

  def throughput(work, count, seconds)
    beside(count, work) { sleep seconds }.last
  end

  # Another process that sends datagrams with the time of their sending, `interval` apart, or sends back what comes.
  def with_peer(peer, *words)
    io = IO.popen([peer, __FILE__, *words.map(&:to_s)], "r+")
    yield io.gets.to_i
  ensure
    if io
      Process.kill(:KILL, io.pid)
      io.close
    end
  end

  def send_datagrams(port, interval)
    socket = UDPSocket.new
    socket.connect("127.0.0.1", port)
    puts "0"
    $stdout.flush
    loop do
      begin
        socket.send([now].pack("G").ljust(32, "."), 0)
        sleep interval if interval > 0
      rescue Errno::ECONNREFUSED, Errno::ENOBUFS
        sleep 0.001
      end
    end
  end

  def echo_datagrams
    socket = UDPSocket.new
    socket.bind("127.0.0.1", 0)
    puts socket.addr[1]
    $stdout.flush
    loop do
      text, from = socket.recvfrom(64)
      socket.send(text, 0, "127.0.0.1", from[1])
    end
  end

  # From the sending of a datagram to Ruby code that has it.
  def latency(work, count, seconds, peer)
    UDPSocket.open do |socket|
      socket.bind("127.0.0.1", 0)
      with_peer(peer, "--send", socket.addr[1], INTERVAL) do
        beside(count, work) do
          found = []
          start = now
          late = seconds
          while now < start + seconds
            sent = socket.recvfrom(64).first.unpack1("G")
            late = now - sent
            found << late if sent >= start
          end
          # Whoever is still busy with what came before is at least that late.
          found.empty? ? [late] : found
        end
      end
    end
  end

  # There and back again, by way of a process that sends back what comes.
  def roundtrip(work, count, seconds, peer)
    UDPSocket.open do |socket|
      with_peer(peer, "--echo") do |port|
        socket.connect("127.0.0.1", port)
        beside(count, work) do
          found = []
          deadline = now + seconds
          while (start = now) < deadline
            socket.send("ping", 0)
            socket.recv(64)
            found << now - start
            sleep 0.001
          end
          found
        end
      end
    end
  end

  # Datagrams taken in per second, when there is always another.
  def bandwidth(work, count, seconds, peer)
    UDPSocket.open do |socket|
      socket.bind("127.0.0.1", 0)
      with_peer(peer, "--send", socket.addr[1], 0) do
        beside(count, work) { rate(seconds) { socket.recvfrom(64) } }
      end
    end
  end

  # Blocks of 4 KB read from a file per second.
  def reads(work, count, seconds, _peer)
    path = File.join(Dir.tmpdir, "ccbench-#{Process.pid}")
    File.binwrite(path, "x" * 65_536)
    File.open(path, "rb") do |file|
      at = 0
      beside(count, work) { rate(seconds) { file.pread(4096, at = (at + 4096) % 65_536) } }
    end
  ensure
    File.delete(path) if path && File.exist?(path)
  end

  # How often the block runs per second.
  def rate(seconds)
    start = now
    done = 0
    while now - start < seconds
      yield
      done += 1
    end
    done / (now - start)
  end

  def percentile(sorted, percent)
    sorted[(sorted.size * percent / 100).clamp(0, sorted.size - 1)]
  end

  # Measures and hands each figure out as soon as it is there.
  def measure(options)
    skipped = ->(text) { yield :skip, text }
    kinds = options[:kinds]
    if (kinds & %w[latency roundtrip bandwidth]).any? &&
        !library("socket", "latency, roundtrip and bandwidth", &skipped)
      kinds -= %w[latency roundtrip bandwidth]
    end
    counts = [0] + (0..20).map { |n| 1 << n }
    counts.select! { |n| n.between?(options[:from], options[:threads]) }
    work(&skipped).each do |name, work|
      next unless options[:work].empty? || options[:work].include?(name)

      alone = throughput(work, 1, options[:seconds])
      counts.each do |count|
        kept = count == 0 ? nil : ->(per_second) { 100 * per_second / alone }
        if kinds.include?("throughput") && count > 0
          yield :result, Result.new("throughput", name, count, throughput(work, count, options[:seconds]), "units/s")
        end
        (kinds & %w[latency roundtrip]).each do |kind|
          found, per_second = send(kind, work, count, options[:seconds], options[:peer] || RbConfig.ruby)
          sorted = found.sort
          next yield(:skip, "#{kind}, #{name}, #{count} threads: nothing arrived") if sorted.empty?

          [50, 99].each do |p|
            yield :result,
                  Result.new("#{kind} p#{p}", name, count, percentile(sorted, p) * 1e6, "us", kept && kept[per_second])
          end
        end
        (kinds & %w[bandwidth reads]).each do |kind|
          per_second, theirs = send(kind, work, count, options[:seconds], options[:peer] || RbConfig.ruby)
          yield :result,
                Result.new(kind, name, count, per_second, kind == "reads" ? "reads/s" : "datagrams/s",
                           kept && kept[theirs])
        end
      end
    end
  end

  # -- running the Rubies -----------------------------------------------------------------

  def child(options)
    $stdout.sync = true
    puts "ruby\t#{defined?(Rubellite) ? "rubellite" : RUBY_ENGINE} #{RUBY_VERSION}\t#{RUBY_DESCRIPTION}"
    measure(options) { |what, item| puts "#{what}\t#{what == :result ? item.line : item}" }
  end

  # Measures everything on `run`'s Ruby once.
  def run_ruby(run, options, progress)
    words = [*options[:kinds], "--child", "--from", options[:from], "--threads", options[:threads],
             "--seconds", options[:seconds]]
    words += ["--peer", options[:peer]] if options[:peer]
    words += ["--work", options[:work].join(",")] unless options[:work].empty?
    IO.popen([run.ruby, __FILE__, *words.map(&:to_s)]) do |io|
      io.each_line do |line|
        what, rest = line.chomp.split("\t", 2)
        case what
        when "ruby" then run.label, run.description = rest.split("\t", 2)
        when "skip" then run.skip(rest)
        when "result" then progress.step(run, run.add(Result.parse(rest)))
        end
      end
    end
    run.skip("ended with status #{$?.exitstatus || $?.termsig}") unless $?.success?
  rescue SystemCallError => error
    run.skip(error.message)
  end

  # The noise of the machine, measured by an idle loop on each of its processors at the same time.
  def noise(seconds)
    words = [RbConfig.ruby, __FILE__, "--idle", seconds.clamp(0.3, 1.0).to_s]
    loops = Array.new(Etc.nprocessors.clamp(1, 64)) { IO.popen(words) }
    Noise.of(loops.map { |io| io.read.split("\t").map(&:to_f).tap { io.close } })
  end

  # The line that tells how far it is; on a terminal one that is written over, else one for each round.
  class Progress
    def initialize(rounds, rubies)
      @rounds, @rubies = rounds, rubies
      @start = CCBench.now
      @round = @done = 0
      @terminal = $stderr.tty?
    end

    def round(number, run)
      @round = number
      @run = run
      show(text) unless @terminal
    end

    # What a round comes to is known when the first one is through.
    def step(run, result)
      @done += 1
      show("#{text}: #{result.kind}, #{result.work}, #{result.threads} threads") if @terminal
    end

    # Forgets the rest of a Ruby that cannot be started.
    def through(run)
      @of_one = @done if @of_one.nil? && @done > 0
    end

    def clear
      $stderr.print "\r#{" " * 78}\r" if @terminal
    end

    private

    def text
      left = @of_one && (CCBench.now - @start) / @done * (@of_one * @rounds * @rubies - @done) if @done > 0
      "run #{@round} of #{@rounds}, " \
      "#{@run.label}#{format(", %d:%02d left", *left.clamp(0, 86_400).round.divmod(60)) if left}"
    end

    def show(text)
      $stderr.print @terminal ? "\r#{text.ljust(78)[0, 78]}" : "ccbench: #{text}\n"
    end
  end

  # All rounds, the Rubies in turn in each of them, so that what changes with time touches all of them alike:
  # the runs and the noise.
  def rounds(options)
    runs = [RbConfig.ruby, *options[:with]].map { |ruby| Run.new(ruby) }
    progress = Progress.new(options[:runs], runs.size)
    noises = (1..options[:runs]).map do |number|
      noise(options[:seconds]).tap do
        runs.each do |run|
          next if number > 1 && run.figures.empty?

          progress.round(number, run)
          run_ruby(run, options, progress)
          progress.through(run)
        end
      end
    end
    [runs, Noise.middle(noises)]
  ensure
    progress&.clear
  end

  # -- the command line -------------------------------------------------------------------

  def parse(argv)
    options = { kinds: [], with: [], from: 0, threads: 4, seconds: 0.5, runs: 5, work: [], json: nil, html: nil,
                compare: nil, peer: nil, child: false }
    parser = OptionParser.new("Usage: rubellite ccbench [options] [KINDS]", 24, "  ") do |parser|
      parser.separator <<~TEXT
        Measures what threads get done, and how promptly one that waits is served, beside 0, 1, 2, 4 threads that
        compute. KINDS are #{KINDS.join(", ")}; without any, all are measured. A figure is
        the middle one of several runs, behind it the least and the largest. An idle loop is measured first: with
        ~ are figures that the machine's own noise decides.

      TEXT
      parser.on("--with=RUBIES", Array, "Measure these Rubies as well") { |names| options[:with] += names }
      parser.on("--threads=N", Integer, "At most N threads that compute (4)") do |count|
        options[:threads] = count.clamp(0, 1024)
      end
      parser.on("--from=N", Integer, "At least N of them (0)") { |count| options[:from] = count }
      parser.on("--runs=N", Integer, "Measure each figure N times (5)") { |count| options[:runs] = count }
      parser.on("--seconds=N", Float, "How long each time (0.5)") { |seconds| options[:seconds] = seconds }
      parser.on("--work=NAMES", Array, "What the threads compute: #{WORK.join(", ")} (all)") do |names|
        options[:work] += names
      end
      parser.on("--json=FILE", "Write the figures as JSON") { |path| options[:json] = path }
      parser.on("--html=FILE", "Write a page with charts") { |path| options[:html] = path }
      parser.on("--compare=FILE", "Tell what is different from the figures in FILE, which --json wrote") do |path|
        options[:compare] = path
      end
      parser.on_tail("-h", "--help", "Print this text") { puts parser; exit }
    end
    # How it starts itself on the Rubies that it measures.
    options[:child] = argv.delete("--child") if argv.include?("--child")
    options[:peer] = argv.slice!(argv.index("--peer"), 2)[1] if argv.include?("--peer")
    options[:kinds] = parser.parse(argv)
    unknown = (options[:kinds] - KINDS) | (options[:work] - WORK)
    raise OptionParser::InvalidArgument.new(*unknown) unless unknown.empty?
    raise OptionParser::InvalidArgument, "--runs=#{options[:runs]}" unless options[:runs].between?(1, 1000)
    raise OptionParser::InvalidArgument, "--seconds=#{options[:seconds]}" unless options[:seconds].between?(0.001, 3600)
    options[:kinds] = KINDS if options[:kinds].empty?
    options
  rescue OptionParser::ParseError => error
    warn "ccbench: #{error.message}", "", parser.help
    exit 2
  end

  # What cannot be read or written is better known before the measurements than after them: the figures to compare with.
  def open_files(options)
    old = options[:compare] && Figures.load(options[:compare])
    options.values_at(:json, :html).compact.each { |path| File.open(path, "a") {} }
    old
  rescue SystemCallError, Figures::Unreadable => error
    warn "ccbench: #{error.message}"
    exit 2
  end

  def save(path, text)
    File.write(path, text)
    true
  rescue SystemCallError => error
    warn "ccbench: #{error.message}"
    false
  end

  def main(argv)
    return puts(idle(argv[1].to_f).join("\t")) if argv.first == "--idle"
    if %w[--send --echo].include?(argv.first)
      require "socket"
      return argv.first == "--echo" ? echo_datagrams : send_datagrams(argv[1].to_i, argv[2].to_f)
    end
    options = parse(argv)
    return child(options) if options[:child]

    require "etc"
    require_relative "figures"
    require_relative "page"
    old = open_files(options)
    figures = Figures.new(*rounds(options), options)
    puts figures.text
    comparison = old && Comparison.new(old, figures)
    puts "", comparison.text if comparison
    saved = []
    saved << save(options[:json], figures.json) if options[:json]
    saved << save(options[:html], Page.new(figures, comparison).html) if options[:html]
    exit 1 unless saved.all? && figures.any?
  rescue Interrupt
    exit 130
  end
end

CCBench.main(ARGV)
