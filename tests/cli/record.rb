# `rubellite record`: a sampling profile of a process or a program, in each of its forms.
# timeout: 240
require "json"
require "rbconfig"
require "tmpdir"

def rubellite(*words)
  IO.popen([RbConfig.ruby, *words.map(&:to_s), err: [:child, :out]], &:read)
end

DIR = Dir.mktmpdir
PROGRAM = File.join(DIR, "program.rb")
File.write(PROGRAM, <<~'RUBY')
  def compute(rounds) = rounds.times { |i| i * i }
  def outer = compute(2_000)
  def rest = sleep
  sleeper = Thread.new { rest }
  sleeper.name = "sleeper"
  2.times { |i| Thread.new { loop { outer } }.name = "computer-#{i}" }
  trap(:TERM) { puts "ended as asked"; exit 7 }
  $stdout.sync = true
  puts "ready"
  ARGV.empty? ? $stdin.read : sleep(ARGV.first.to_f)
RUBY

def with_program
  IO.popen([RbConfig.ruby, PROGRAM], "r+") do |io|
    io.gets
    yield io.pid
    Process.kill(:TERM, io.pid)
    io.read
  end
end

# Waits until somebody records the process: its sampler, which looks at the VM, is there.
def recorded(pid)
  Thread.pass until Dir["/proc/#{pid}/task/*/comm"].any? { |comm| File.read(comm) == "(visitor)\n" rescue false }
  sleep 0.3
end

# Whether a value has the shape: a class, a list of one shape, or keys with their shapes.
def fits?(shape, value, where = "")
  case shape
  when Hash
    value.is_a?(Hash) && shape.all? { |key, inner| value.key?(key) && fits?(inner, value[key], "#{where}.#{key}") }
  when Array then value.is_a?(Array) && value.all? { |item| fits?(shape.first, item, "#{where}[]") }
  else shape === value
  end || (warn("#{where}: #{value.inspect[0, 100]}") || false)
end

said = with_program do |pid|
  summary = rubellite("record", "-d", "0.6", pid)
  summary.lines.first[/ms, 4 threads, \d+ looks, which took \d+\.\d\d % of one processor$/].nil? # => false
  summary.scan(/^ +ms +by (.*)$/).flatten # => ["wall clock", "processor", "lock held", "waited behind"]

  # The lines of the program, by each clock; whole stacks with their threads.
  folded = File.join(DIR, "held.folded")
  rubellite("record", "-d", "0.6", "-o", folded, "--clock=held", pid) # => ""
  stacks = File.readlines(folded).map { |line| line.match(/\A(.*) (\d+)$/).captures }
  stacks.all? { |stack, _| stack.start_with?("computer-", "main", "sleeper") } # => true
  stacks.sum { |_, us| us.to_i }.between?(200_000, 1_500_000) # => true
  stacks.any? { |stack, _| stack.match?(/\Acomputer-\d;.*;Object#outer \(.*program.rb:2\);Object#compute \(.*program.rb:1\);/) } # => true
  rubellite("record", "-d", "0.3", "-f", "folded", "--clock=wall", pid)[/^sleeper;.*;Object#rest \(.*:3\);Kernel#sleep \(.*:3\);\(sleeps\) \d+$/].nil? # => false
  rubellite("record", "-d", "0.6", "-f", "folded", "--clock=waited", pid)[/^computer-\d;.*;behind it: computer-\d in /].nil? # => false
  rubellite("record", "-d", "0.6", "-f", "folded", "--clock=processor", pid)[/^computer-\d;.*Object#compute/].nil? # => false

  # What the published schema of Speedscope requires.
  file = File.join(DIR, "profile.json")
  rubellite("record", "-d", "0.4", "-o", file, pid) # => ""
  speedscope = JSON.parse(File.read(file))
  frame = { "name" => String }
  sampled = { "type" => "sampled", "name" => String, "unit" => "microseconds", "startValue" => Integer,
              "endValue" => Integer, "samples" => [[Integer]], "weights" => [Integer] }
  fits?({ "$schema" => "https://www.speedscope.app/file-format-schema.json", "shared" => { "frames" => [frame] }, "profiles" => [sampled] }, speedscope) # => true
  speedscope["profiles"].first(4).map { |profile| profile["name"] } # => ["wall clock", "processor", "lock held", "waited behind"]
  speedscope["profiles"].all? { |p| p["samples"].size == p["weights"].size && p["weights"].sum == p["endValue"] - p["startValue"] } # => true
  count = speedscope["shared"]["frames"].size
  speedscope["profiles"].all? { |profile| profile["samples"].flatten.all? { |place| place < count } } # => true

  # The tables that the Firefox Profiler's processed format requires;
  # columns as long as their tables, places within them.
  file = File.join(DIR, "profile.firefox.json")
  rubellite("record", "-d", "0.4", "-o", file, pid) # => ""
  firefox = JSON.parse(File.read(file))
  category = { "name" => String, "color" => String, "subcategories" => [String] }
  meta = { "interval" => Numeric, "startTime" => Numeric, "processType" => 0, "product" => String,
           "stackwalk" => Integer, "version" => Integer, "preprocessedProfileVersion" => 48, "categories" => [category],
           "markerSchema" => [Hash] }
  maybe = ->(kind) { ->(value) { value.nil? || kind === value } }
  place = maybe[Integer]
  thread = {
    "processType" => String, "processStartupTime" => Numeric, "processShutdownTime" => nil, "registerTime" => Numeric,
    "unregisterTime" => nil, "pausedRanges" => [Hash],
    "name" => String, "isMainThread" => maybe[->(value) { [true, false].include?(value) }], "pid" => String,
    "tid" => Integer, "stringArray" => [String],
    "samples" => { "stack" => [place], "time" => [Numeric], "weight" => [Numeric], "weightType" => "tracing-ms",
                   "threadCPUDelta" => [Integer] },
    "frameTable" => { "address" => [-1], "inlineDepth" => [0], "category" => [place], "subcategory" => [place],
                      "func" => [Integer], "nativeSymbol" => [nil], "innerWindowID" => [place],
                      "implementation" => [nil], "line" => [place], "column" => [nil] },
    "funcTable" => { "name" => [Integer], "isJS" => [false], "relevantForJS" => [false], "resource" => [-1],
                     "fileName" => [place], "lineNumber" => [place], "columnNumber" => [place] },
    "stackTable" => { "prefix" => [place], "frame" => [Integer], "category" => [Integer], "subcategory" => [Integer] },
    "markers" => { "data" => [Hash], "name" => [Integer], "startTime" => [place], "endTime" => [place],
                   "phase" => [Integer], "category" => [Integer] },
    "resourceTable" => { "lib" => [place], "name" => [Integer], "host" => [place], "type" => [Integer] },
    "nativeSymbols" => { "libIndex" => [Integer], "address" => [Integer], "name" => [Integer],
                         "functionSize" => [place] }
  }
  fits?({ "meta" => meta, "libs" => [Hash], "pages" => [Hash], "threads" => [thread] }, firefox) # => true
  firefox["threads"].map { |thread| thread["name"] }.sort # => ["computer-0", "computer-1", "lock: held by", "lock: others waited behind", "main", "sleeper"]
  tables = %w[samples frameTable funcTable stackTable markers resourceTable nativeSymbols]
  firefox["threads"].all? { |thread| tables.all? { |table| thread[table].values.grep(Array).all? { |column| column.size == thread[table]["length"] } } } # => true
  within = ->(places, limit) { places.compact.all? { |place| place < limit } }
  sound = firefox["threads"].all? do |thread|
    stacks, frames, functions = thread.values_at("stackTable", "frameTable", "funcTable")
    strings = thread["stringArray"].size
    within[thread["samples"]["stack"], stacks["length"]] && within[stacks["frame"], frames["length"]] &&
      within[frames["func"], functions["length"]] && within[functions["name"] + functions["fileName"], strings] &&
      stacks["prefix"].each_with_index.all? { |prefix, i| prefix.nil? || prefix < i } &&
      thread["samples"]["time"].each_cons(2).all? { |a, b| a <= b }
  end
  sound # => true

  page = File.join(DIR, "profile.html")
  rubellite("record", "-d", "0.2", "-o", page, pid) # => ""
  JSON.parse(File.read(page)[/application\/json">(.*?)<\/script>/m, 1]).keys.last(4) # => ["frames", "nodes", "threads", "clocks"]

  # The interrupt key ends it, and what was recorded is there.
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  text = IO.popen([RbConfig.ruby, "record", "-d", "300", pid.to_s]) do |io|
    Thread.pass until File.read("/proc/#{io.pid}/status")[/^SigCgt:\s*(\h+)/, 1].to_i(16).anybits?(2)
    recorded(pid)
    Process.kill(:INT, io.pid)
    io.read
  end
  [text.include?("by wall clock"), Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < 200] # => [true, true]

  # A file that cannot be written, a full disk: told in a line.
  rubellite("record", "-d", "0.2", "-o", "/nonexistent/x.html", pid) # => "rubellite record: No such file or directory -- /nonexistent/x.html\n"
  $?.exitstatus # => 2
  read, write = IO.pipe
  full = [%w[dump], %w[top --once --delay=0.01]].map do |words|
    system(RbConfig.ruby, *words, pid.to_s, out: "/dev/full", err: write)
    [read.gets, $?.exitstatus]
  end
  full # => [["rubellite dump: No space left on device -- standard output\n", 2], ["rubellite top: No space left on device -- standard output\n", 2]]
  rubellite("record", "-d", "0.2", "-f", "html", "-o", "/dev/full", pid) # => "rubellite record: No space left on device -- /dev/full\n"
  $?.exitstatus # => 2
end
# The program has noticed nothing.
[said, $?.exitstatus] # => ["ended as asked\n", 7]

# A process that ends meanwhile leaves what was recorded until then.
text = IO.popen([RbConfig.ruby, PROGRAM], "r+") do |io|
  io.gets
  recorder = IO.popen([RbConfig.ruby, "record", "-d", "300", io.pid.to_s, err: [:child, :out]])
  recorded(io.pid)
  io.close_write
  recorder.read
end
text.include?("by wall clock") # => true

# A program from its beginning to its end; its output and its status are its own.
page = File.join(DIR, "run.html")
rubellite("record", "-o", page, "--", PROGRAM, "0.3") # => "ready\n"
[$?.exitstatus, File.read(page).include?("computer-1")] # => [0, true]
busy =
  "def work = 10_000.times { |i| i * i }; work until Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) > 1; " \
  "exit 3"
rubellite("record", "-f", "folded", "--", "-e", busy)[/Object#work \(-e:1\)/].nil? # => false
$?.exitstatus # => 3
text = rubellite("record", "--", "-e",
                 "def work = 300_000.times { |i| i * i }; 3.times { work }; Process.kill(:KILL, $$)")
text.include?("the process ended before the profile did") || text.include?("nothing was recorded") # => true
$?.exitstatus # => 137
# Programs that it starts, and children, are not recorded, and are not in the way.
text = rubellite("record", "-f", "folded", "--", "-e",
                 "sleep 0.05; system(RbConfig.ruby, '-e', 'p 1'); Process.wait(fork { p 2 }); exec('echo', '3')")
[text.lines.grep(/\A\d$/).map(&:to_i), text.include?("main;")] # => [[1, 2, 3], true]

# Wrong words.
first = ->(*words) { [rubellite("record", *words).lines.first, $?.exitstatus] }
first[] # => ["rubellite record: the number of a process is missing, or -- and a program\n", 2]
first["--"] # => ["rubellite record: no program\n", 2]
first["-o", "x.xyz", "1"] # => ["rubellite record: the name of the file says no form: --format does\n", 2]
first["--format=png", "1"] # => ["rubellite record: no format: png\n", 2]
first["--clock=sun", "1"] # => ["rubellite record: no clock: sun\n", 2]
first["--clock=wall", "1"] # => ["rubellite record: --clock is for folded stacks; the other forms have all clocks\n", 2]
first["--rate=5000", "1"] # => ["rubellite record: --rate is at most 1000\n", 2]
first["--lock-report", "--", PROGRAM] # => ["rubellite record: --lock-report needs a process; for a program: rubellite --lock-report FILE\n", 2]
first[2**31 - 1] # => ["rubellite record: process 2147483647 does not exist\n", 2]
first["-o", File.join(DIR, "none.html"), "--", "/nonexistent.rb"][1] # => 1

# The program's own status is told when the profile cannot be written.
failing = "sleep 0.3; exit 5"
rubellite("record", "-f", "html", "-o", "/dev/full", "--", "-e", failing) # => "rubellite record: No space left on device -- /dev/full\n"
$?.exitstatus # => 5
