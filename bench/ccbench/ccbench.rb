# Concurrency of an interpreter beside 0, 1, 2, 4 ... threads that compute: what they get done together, how long a thread
# that waits for the outside world waits for the interpreter as well, and how much input and output it gets done.
# After Antoine Pitrou's program of the same name for Python. Runs unchanged on any Ruby with threads.
#
#   ruby ccbench.rb --help
#
# `--with` runs each of the named Rubies in turn, beside this one, and puts their figures side by side.
require "optparse"
require "rbconfig"
require "tmpdir"

module CCBench
  KINDS = %w[throughput latency roundtrip bandwidth reads].freeze
  WORK = %w[pi regexp deflate].freeze
  INTERVAL = 0.005
  WARM_UP = 0.2

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

  # Each kind of work is a lambda that does one unit of some hundred microseconds: Ruby code, a native method that is not
  # made to run beside others, and one that is.
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

  # -- measuring --------------------------------------------------------------------------

  # Runs the block beside `count` threads that do `work` until it returns: the block's value, and their units per second.
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
    kinds -= %w[latency roundtrip bandwidth] if (kinds & %w[latency roundtrip bandwidth]).any? && !library("socket", "latency, roundtrip and bandwidth", &skipped)
    counts = [0] + (0..20).map { |n| 1 << n }.take_while { |n| n <= options[:threads] }
    work(&skipped).each do |name, work|
      next unless options[:work].empty? || options[:work].include?(name)

      alone = throughput(work, 1, options[:seconds])
      counts.each do |count|
        kept = count == 0 ? nil : ->(per_second) { 100 * per_second / alone }
        yield :result, Result.new("throughput", name, count, throughput(work, count, options[:seconds]), "units/s") if kinds.include?("throughput") && count > 0
        (kinds & %w[latency roundtrip]).each do |kind|
          found, per_second = send(kind, work, count, options[:seconds], options[:peer] || RbConfig.ruby)
          sorted = found.sort
          next yield(:skip, "#{kind}, #{name}, #{count} threads: nothing arrived") if sorted.empty?

          [50, 99].each { |p| yield :result, Result.new("#{kind} p#{p}", name, count, percentile(sorted, p) * 1e6, "us", kept && kept[per_second]) }
        end
        (kinds & %w[bandwidth reads]).each do |kind|
          per_second, theirs = send(kind, work, count, options[:seconds], options[:peer] || RbConfig.ruby)
          yield :result, Result.new(kind, name, count, per_second, kind == "reads" ? "reads/s" : "datagrams/s", kept && kept[theirs])
        end
      end
    end
  end

  # -- running the Rubies -----------------------------------------------------------------

  # What one Ruby came to.
  Run = Struct.new(:label, :description, :results, :skipped)

  def child(options)
    $stdout.sync = true
    puts "ruby\t#{defined?(Rubellite) ? "rubellite" : RUBY_ENGINE} #{RUBY_VERSION}\t#{RUBY_DESCRIPTION}"
    measure(options) { |what, item| puts "#{what}\t#{what == :result ? item.line : item}" }
  end

  def run_ruby(ruby, options)
    words = [*options[:kinds], "--child", "--threads", options[:threads], "--seconds", options[:seconds]]
    words += ["--peer", options[:peer]] if options[:peer]
    words += ["--work", options[:work].join(",")] unless options[:work].empty?
    run = Run.new(File.basename(ruby), nil, [], [])
    IO.popen([ruby, __FILE__, *words.map(&:to_s)]) do |io|
      io.each_line do |line|
        what, rest = line.chomp.split("\t", 2)
        case what
        when "ruby" then run.label, run.description = rest.split("\t", 2)
        when "skip" then run.skipped << rest
        when "result"
          run.results << Result.parse(rest)
          progress("#{run.label}: #{run.results.last.kind}, #{run.results.last.work}, #{run.results.last.threads} threads")
        end
      end
    end
    run.skipped << "ended with status #{$?.exitstatus || $?.termsig}" unless $?.success?
    run
  rescue SystemCallError => error
    run.skipped << error.message
    run
  ensure
    progress("")
  end

  def progress(text)
    return unless $stderr.tty?

    $stderr.print "\r#{text.ljust(70)[0, 70]}#{"\r" if text.empty?}"
  end

  # Labels that tell the runs apart.
  def distinguish(runs)
    runs.group_by(&:label).each_value do |same|
      same.each_with_index { |run, i| run.label = "#{run.label} (#{i + 1})" } if same.size > 1
    end
  end

  # -- showing ----------------------------------------------------------------------------

  # A table for each kind and work: a line per number of threads, a column per Ruby.
  def tables(runs)
    groups(runs).map do |(kind, work, unit), all|
      width = [14, *runs.map { |run| run.label.size + 2 }].max
      head = ["#{kind}, #{work} (#{unit})", format("%8s", "threads") + runs.map { |run| format("%#{width + 8}s", run.label) }.join]
      lines = all.map(&:threads).uniq.sort.map do |threads|
        format("%8d", threads) + runs.map { |run| cell(find(run, kind, work, threads), width) }.join
      end
      [*head, *lines].join("\n")
    end.join("\n\n")
  end

  # The figure, and in brackets the share that the threads beside it kept.
  def cell(result, width)
    return "-".rjust(width) + " " * 8 unless result

    format("%#{width}.1f", result.figure) + (result.kept ? format(" (%3d%%)", result.kept.round) : "").ljust(8)
  end

  def groups(runs)
    runs.flat_map(&:results).group_by { |result| [result.kind, result.work, result.unit] }.sort_by { |(kind, work, _), _| [KINDS.index(kind[/\w+/]), kind, work] }
  end

  def find(run, kind, work, threads)
    run.results.find { |result| [result.kind, result.work, result.threads] == [kind, work, threads] }
  end

  def json(value)
    case value
    when Hash then "{#{value.map { |k, v| "#{json(k.to_s)}:#{json(v)}" }.join(",")}}"
    when Array then "[#{value.map { |v| json(v) }.join(",\n")}]"
    when String then "\"#{value.gsub(/["\\]/) { |c| "\\#{c}" }.gsub(/[\x00-\x1f]/) { |c| format("\\u%04x", c.ord) }}\""
    when nil then "null"
    when Float then value.finite? ? value.round(3).to_s : "null"
    else value.to_s
    end
  end

  def save_json(path, runs, options)
    about = { "program" => "ccbench", "seconds" => options[:seconds] }
    about["runs"] = runs.map { |run| { "ruby" => run.label, "description" => run.description, "skipped" => run.skipped, "results" => run.results.map(&:to_h) } }
    File.write(path, "#{json(about)}\n")
  end

  COLORS = %w[#b3122d #2f6db5 #3a8f4d #c77d12 #7a4fa3 #4c4c4c].freeze

  def escape(text)
    text.to_s.gsub("&", "&amp;").gsub("<", "&lt;").gsub(">", "&gt;")
  end

  # A chart for each kind and work: bars per number of threads, a colour per Ruby, logarithmic, since figures span decades.
  def chart(runs, title, all)
    low, high = all.map { |result| Math.log10([result.figure, 0.1].max) }.minmax
    low = [low - 0.3, low.floor].max
    span = [high - low, 0.3].max
    rows = all.map(&:threads).uniq.sort.flat_map { |threads| runs.each_with_index.map { |run, i| [threads, i, all.find { |r| r.threads == threads && run.results.include?(r) }] } }.select(&:last)
    y = 24
    last = nil
    bars = rows.map do |threads, i, result|
      y += 10 if last && last != threads
      label = last == threads ? "" : %(<text x="8" y="#{y + 11}">#{threads}</text>)
      last = threads
      width = (380 * (Math.log10([result.figure, 0.1].max) - low) / span).clamp(2, 380).round
      kept = result.kept ? ", the others keep #{result.kept.round} %" : ""
      bar = %(#{label}<rect x="34" y="#{y}" width="#{width}" height="13" fill="#{COLORS[i % COLORS.size]}"/>) +
            %(<text x="#{40 + width}" y="#{y + 11}">#{format("%.1f", result.figure)}#{kept}</text>)
      y += 16
      bar
    end
    %(<svg width="640" height="#{y + 8}" font-family="sans-serif" font-size="11"><text x="8" y="14" font-weight="bold">#{escape(title)}</text>#{bars.join}</svg>)
  end

  # A sentence for each kind and work: what each Ruby's figure is beside the fewest threads, and beside the most.
  def sentences(runs)
    groups(runs).map do |(kind, work, unit), all|
      parts = runs.filter_map do |run|
        few, *, most = all.select { |result| run.results.include?(result) }.sort_by(&:threads)
        next unless few
        beside = ->(result) { format("%.4g %s beside %s", result.figure, unit, result.threads.zero? ? "none" : result.threads) }
        "#{run.label} #{most ? "goes from #{beside[few]} to #{beside[most]}" : "has #{beside[few]}"}"
      end
      "#{kind.capitalize} where threads compute #{work}: #{parts.join("; ")} (#{all.first.better_high? ? "more" : "less"} is better)."
    end
  end

  def save_html(path, runs)
    legend = runs.each_with_index.map { |run, i| %(<li><b style="color:#{COLORS[i % COLORS.size]}">#{escape(run.label)}</b> #{escape(run.description)} #{escape(run.skipped.join("; "))}</li>) }
    charts = groups(runs).map do |(kind, work, unit), all|
      chart(runs, "#{kind}, #{work}: #{unit} beside n threads (#{all.first.better_high? ? "more" : "less"} is better, logarithmic)", all)
    end
    File.write(path, <<~HTML)
      <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>ccbench</title>
      <body style="font-family:sans-serif;max-width:1340px;margin:1em auto"><h1>ccbench</h1>#{sentences(runs).map { |text| "<p>#{escape(text)}</p>" }.join}<ul>#{legend.join}</ul>
      <div style="display:flex;flex-wrap:wrap;gap:12px">#{charts.join("\n")}</div></body></html>
    HTML
  end

  # -- the command line -------------------------------------------------------------------

  def parse(argv)
    options = { kinds: [], with: [], threads: 4, seconds: 1.0, work: [], json: nil, html: nil, peer: nil, child: false }
    parser = OptionParser.new("Usage: rubellite ccbench [options] [KINDS]", 24, "  ") do |parser|
      parser.separator <<~TEXT
        Measures what threads get done, and how promptly one that waits is served, beside 0, 1, 2, 4 threads that compute.
        KINDS are #{KINDS.join(", ")}; without any, all are measured.

      TEXT
      parser.on("--with=RUBIES", Array, "Measure these Rubies as well") { |names| options[:with] += names }
      parser.on("--threads=N", Integer, "At most N threads that compute (4)") { |count| options[:threads] = count.clamp(0, 1024) }
      parser.on("--seconds=N", Float, "How long each figure is measured (1)") { |seconds| options[:seconds] = seconds }
      parser.on("--work=NAMES", Array, "What the threads compute: #{WORK.join(", ")} (all)") { |names| options[:work] += names }
      parser.on("--json=FILE", "Write the figures as JSON") { |path| options[:json] = path }
      parser.on("--html=FILE", "Write a page with charts") { |path| options[:html] = path }
      parser.on_tail("-h", "--help", "Print this text") { puts parser; exit }
    end
    # How it starts itself on the Rubies that it measures.
    options[:child] = argv.delete("--child") if argv.include?("--child")
    options[:peer] = argv.slice!(argv.index("--peer"), 2)[1] if argv.include?("--peer")
    options[:kinds] = parser.parse(argv)
    unknown = (options[:kinds] - KINDS) | (options[:work] - WORK)
    raise OptionParser::InvalidArgument.new(*unknown) unless unknown.empty?
    options[:kinds] = KINDS if options[:kinds].empty?
    # What cannot be written is better known before the measurements than after them.
    options.values_at(:json, :html).compact.each { |path| File.open(path, "a") {} }
    options
  rescue OptionParser::ParseError => error
    warn "ccbench: #{error.message}", "", parser.help
    exit 2
  rescue SystemCallError => error
    warn "ccbench: #{error.message}"
    exit 2
  end

  def main(argv)
    if %w[--send --echo].include?(argv.first)
      require "socket"
      return argv.first == "--echo" ? echo_datagrams : send_datagrams(argv[1].to_i, argv[2].to_f)
    end
    options = parse(argv)
    return child(options) if options[:child]

    runs = [RbConfig.ruby, *options[:with]].map { |ruby| run_ruby(ruby, options) }
    distinguish(runs)
    runs.each do |run|
      puts "#{run.label}: #{run.description}"
      run.skipped.each { |text| puts "  #{text}" }
    end
    puts "", tables(runs) unless runs.all? { |run| run.results.empty? }
    save_json(options[:json], runs, options) if options[:json]
    save_html(options[:html], runs) if options[:html]
  end
end

CCBench.main(ARGV)
