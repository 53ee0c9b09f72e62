# The trace file: the JSON array form of the Trace Event Format, complete or cut off by the end of the process.
require "rbconfig"
require "tmpdir"

# The events as Hashes; the values of a line are flat but for args.
def events(path)
  lines = File.readlines(path, chomp: true)
  lines.shift == "[" or raise "no array"
  lines.pop if lines.last == "]"
  lines.map do |line|
    line = line.delete_suffix(",")
    line.start_with?("{") && line.end_with?("}") or raise "not an event: #{line}"
    line.scan(/"(\w+)":("(?:[^"\\]|\\.)*"|[\d.]+|true|false|null)/)
      .to_h { |k, v| [k.to_sym, v.delete_prefix('"').delete_suffix('"')] }
  end
end

# Begins and ends of each track match, in order of time.
def nested?(events)
  events.group_by { |e| e[:tid] }.values.all? do |track|
    depth = 0
    slices = track.select { |e| %w[B E].include?(e[:ph]) }
    slices.each { |e| depth += e[:ph] == "B" ? 1 : -1 and depth < 0 and return false }
    depth == 0 && slices.map { |e| e[:ts].to_f }.each_cons(2).all? { |a, b| a <= b }
  end
end

dir = Dir.mktmpdir
path = File.join(dir, "a.json")
value = Rubellite::Lock.trace(path) do
  2.times.map { |i|
    Thread.new { Thread.current.name = "worker \"#{i}\""; x = 0; 200_000.times { x += 1 }; sleep 0.001; x }
  }.sum(&:value)
end
value # => 400000
File.read(path).end_with?("\n]\n") # => true
all = events(path)
nested?(all) # => true
all.map { |e| e[:ph] }.uniq.sort - %w[i] # => ["B", "E", "M"]
all.select { |e| e[:ph] == "B" }.map { |e| e[:name] }.uniq.sort - %w[waits] # => ["outside", "parked", "runs"]
File.read(path).include?('{"name":"worker \"1\""}') # => true
Rubellite::Lock.stop_trace # => false
Rubellite::Lock.trace(path) # raises ArgumentError: no block given
Rubellite::Lock.start_trace("#{dir}/missing/a.json") rescue $!.class # => Errno::ENOENT

def run(path, code)
  system(RbConfig.ruby, "--trace-lock=#{path}", "-e", code, err: File::NULL)
  $?.termsig || $?.exitstatus
end

path = File.join(dir, "b.json")
run(path, "Thread.new { 1 }.join") # => 0
nested?(events(path)) # => true
run(path, "exit! 3") # => 3
File.read(path).end_with?("\n]\n") # => true
run(path, "Thread.new { loop { } }; Process.kill(:TERM, $$); sleep") # => 15
File.read(path).end_with?("\n]\n") # => true
run(path, "Thread.new { sleep }; sleep 0.01; Process.kill(:SEGV, $$); sleep 5") # => 11
events(path).any? { |e| e[:name] == "parked" } # => true
run(path, "fork { Thread.new { 1 }.join }; Process.wait; exit 7") # => 7
nested?(events(path)) # => true

# A disk that is full is told at the end, and does not disturb the program;
# what becomes another program completes the file before.
out = IO.popen([RbConfig.ruby, "--trace-lock=/dev/full", "-e",
                "Array.new(2) { Thread.new { 1 } }.each(&:join); puts :done; exit 5", err: [:child, :out]], &:read)
[out, $?.exitstatus] # => ["done\nrubellite: lock trace: No space left on device -- /dev/full; it ends where the file does\n", 5]
file = File.join(Dir.mktmpdir, "trace.json")
IO.popen([RbConfig.ruby, "--trace-lock=#{file}", "-e", "exec 'echo', 'other'"], &:read) # => "other\n"
events(file).last[:ph] # => "E"

# The next option is no file.
IO.popen([RbConfig.ruby, "--trace-lock", "-e", "p 1", err: [:child, :out]], &:read)[/: .*/] # => ": missing argument for --trace-lock (RuntimeError)"
$?.exitstatus # => 1
