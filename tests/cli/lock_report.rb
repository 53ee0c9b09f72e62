# The report names the lines that held the lock, on standard error, and does nothing to the program.
# timeout: 120
require "rbconfig"
require "tmpdir"

DIR = Dir.mktmpdir

# Standard output, standard error and the status of a program under a report.
def report(source, option: "--lock-report", env: {})
  path = File.join(DIR, "program.rb")
  File.write(path, source)
  out, err = [File.join(DIR, "out"), File.join(DIR, "err")]
  system(env, RbConfig.ruby, *option, path, out:, err:)
  [File.read(out), File.read(err), $?.exitstatus || $?.termsig]
end

# Who is blamed: the first lines of the table of lines. On a busy machine some others hold the lock without a processor
# for a while.
def blamed(text)
  text[/^ +held .*/m].to_s.lines.first(4).filter_map { |row| row[/program\.rb:\d+/] }
end

# A native method that does not give way.
hog = <<~'RUBY'
  ROWS = (1..1_000_000).to_h { |i| [i, i] }
  def slow
    saved = ROWS.dup
    saved.size
    sleep 0.001
  end
  hog = Thread.new { 25.times { slow } }
  hog.name = "hog"
  pingers = Array.new(3) do |i|
    Thread.new { sleep 0.001 while hog.alive? }.tap { |thread| thread.name = "pinger #{i}" }
  end
  [hog, *pingers].each(&:join)
  puts "done"
  exit 3
RUBY
out, err, status = report(hog, option: "--lock-report=#{DIR}/page.html")
[out, status] # => ["done\n", 3]
blamed(err).include?("program.rb:3") # => true
err[/^.*program.rb:3.* in Object#slow \(dup\)$/].nil? # => false
err.scan(/^(?:hog|pinger \d|main) /).size # => 5
err[/^lock report: .*page.html$/].nil? # => false
page = File.read("#{DIR}/page.html")
page.include?('"program":"') && page.match?(%r{"short":"[^"]*/program.rb:3"}) && !page.match?(%r{(?:src|href)="(?!data:)}) # => true

# The method that called it has returned when the next safepoint comes:
# where that was called is named, not the line of the safepoint.
returned = <<~'RUBY'
  ROWS = (1..600_000).to_h { |i| [i, i] }
  def copy
    ROWS.dup
  end
  hog = Thread.new do
    25.times do
      saved = copy
      saved.size
      sleep 0.001
    end
  end
  pingers = Array.new(3) { Thread.new { sleep 0.001 while hog.alive? } }
  [hog, *pingers].each(&:join)
RUBY
_, err, _ = report(returned)
blamed(err).first # => "program.rb:7"
err[/^.*program.rb:7.* \(copy\)$/].nil? # => false

# Threads that compute, of which one has a slice that is not fair.
unfair = <<~'RUBY'
  def spin(seconds)
    ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
    nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends
  end
  greedy = Thread.new { spin(0.6) }
  greedy.name = "greedy"
  Rubellite::Lock.set_thread_slice(greedy, 0.1)
  others = Array.new(2) { Thread.new { 100.times { sleep 0.002; 100.times { 1 } } } }
  modest = Thread.new { spin(0.4) }
  modest.name = "modest"
  [greedy, modest, *others].each(&:join)
RUBY
_, err, _ = report(unfair)
blamed(err).include?("program.rb:3") # => true
longest = err[/^modest .*?([\d.]+) ms behind greedy\b/, 1]
longest.to_f > 50 # => true

# More threads that compute than the lock can serve.
crowd = <<~'RUBY'
  ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 1
  Array.new(4) { Thread.new { nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends } }.each(&:join)
RUBY
# On a machine whose processors have other work the lock lies idle, handed to threads that do not run, and the report
# does not blame their number: it says so when they had the lock for four fifths of the time, as its own table tells.
tries = []
until tries.size == 20 || tries.last&.first.to_f > 0.85
  _, err, _ = report(crowd)
  elapsed = err[/lock report of ([\d.]+) ms/, 1].to_f
  ran = err.scan(/^(?:main|.*program\.rb:2) +[\d.]+ +([\d.]+)/).sum { it[0].to_f }
  told = err[/Too many threads: the \d+ that use the lock wait for it \d+ % of their time, and (.*) it busy\.$/, 1]
  tries << [ran / elapsed, ["one keeps", "2 keep"].include?(told)]
end
tries.reject { |busy, said| said == (busy >= 0.8) || busy.between?(0.79, 0.81) } # => []
# A page by the name of the trace.
report("p 1", option: "--trace-lock=#{DIR}/trace.html").then { |out, err, _| [out, err[/^lock report of|^lock report: .*trace.html$/].nil?, File.read("#{DIR}/trace.html").include?("Lock report")] } # => ["1\n", false, true]
report("p 1", option: ["--trace-lock=#{DIR}/trace.html", "--lock-report=#{DIR}/x.html"])[2] # => 1

# However the program ends.
report("exit! 4").then { |_, err, status| [err[/lock report of/], status] } # => ["lock report of", 4]
report("abort 'bye'").then { |_, err, status| [err.lines.first, err[/lock report of/], status] } # => ["bye\n", "lock report of", 1]
report("raise 'x'").then { |_, err, status| [err[/x \(RuntimeError\)/], err[/lock report of/], status] } # => ["x (RuntimeError)", "lock report of", 1]
report("Process.kill(:TERM, $$); sleep").then { |_, err, status| [err[/lock report of/], status] } # => ["lock report of", 15]
report("exec 'echo', 'hi'").then { |out, err, status| [out, err.scan(/lock report of/).size, status] } # => ["hi\n", 1, 0]
report("fork { exit 2 }; p Process.wait2[1].exitstatus").then { |out, err, _| [out, err.scan(/lock report of/).size] } # => ["2\n", 1]

# Without an option, by the environment.
report("p 1", option: [], env: { "RUBELLITE_LOCK_REPORT" => "1" }).then { |out, err, _| [out, err[/lock report of/]] } # => ["1\n", "lock report of"]
report("p 1", option: [], env: { "RUBELLITE_LOCK_REPORT" => "0" }) # => ["1\n", "", 0]
report("p $$", option: [], env: { "RUBELLITE_LOCK_REPORT" => "#{DIR}/%p.html" }).then { |out, _, _| File.size?("#{DIR}/#{out.to_i}.html").nil? } # => false

# A file that cannot be made, by the option and by the environment; a full disk.
_, err, status = report("p 1", option: "--lock-report=/nonexistent/x.html")
[err[/: No such file or directory -- .*$/], status] # => [": No such file or directory -- /nonexistent/x.html (RuntimeError)", 1]
out, err, status = report("p 1", option: [], env: { "RUBELLITE_LOCK_REPORT" => "/nonexistent/x.html" })
[out, err[/warning: .*$/], status] # => ["1\n", "warning: RUBELLITE_LOCK_REPORT: No such file or directory -- /nonexistent/x.html", 0]
out, err, status = report("p 1; exit 5", option: "--lock-report=/dev/full")
[out, err.lines.last, status] # => ["1\n", "rubellite: lock report: No space left on device -- /dev/full\n", 5]
