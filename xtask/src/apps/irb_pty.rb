require "pty"
require "io/console"
require "rbconfig"

# Irb on a terminal: what is typed, the answers, errors, a method of several lines, `_`, `ls` and the end.
ENV.keys.grep(/\A(GEM_|BUNDLE)/).each { |name| ENV.delete(name) }
ENV["TERM"] = "dumb"
ENV["RUBYLIB"] = nil
File.write(".irbrc",
           "IRB.conf[:PROMPT_MODE] = :SIMPLE\nIRB.conf[:USE_PAGER] = false\nIRB.conf[:SAVE_HISTORY] = nil\n" \
           "IRB.conf[:USE_AUTOCOMPLETE] = false\nIRB.conf[:USE_COLORIZE] = false\n")
lines = ["1 + 2", "_ * 2", "def twice(n)", "  n * 2", "end", "twice(21)", "[1, { a: nil }].size", "nil.no", "1 +", "2",
         "raise 'oh'", "y = 5;", "p y", "puts [1, 2]", "def (", "class A; def b = 1; end", "ls A.new -g b",
         "$stdout.tty?", "exit"]
PTY.spawn(RbConfig.ruby, "-W0", "-S", "irb", "-f", "-r", "./.irbrc") do |output, input, pid|
  shown = +""
  reader = Thread.new { loop { shown << output.readpartial(4096) } rescue nil }
  wait = lambda do |count|
    1500.times { break if shown.scan(/^(?:>> |\?> |\* )/).size >= count || !reader.alive?; sleep 0.02 }
  end
  input.puts "IRB.conf.delete(:X); conf.prompt_mode = :SIMPLE; conf.use_pager = false rescue 0"
  input.puts ":ready"
  sleep 0.05 until shown.include?("=> :ready") || !reader.alive?
  lines.each do |line|
    before = shown.size
    input.puts line
    100.times { sleep 0.01; break if shown.size > before + line.size + 4 }
    sleep 0.05
  end
  Process.wait(pid)
  reader.join(2)
  text = shown.split(":ready", 3).last.to_s.gsub(/\e\[[\d;?]*[A-Za-z]/, "").delete("\r").gsub(/0x\h+/, "0xXX")
  puts text.lines.grep(/=>|Error|^\d+$|syntax/)
    .map { |line| line.gsub(/\(irb\):\d+/, "(irb)").gsub(/^.*?: \(irb\): syntax/, "(irb): syntax").strip }
end
