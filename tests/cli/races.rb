# timeout: 240
# `rubellite races`: finds the known races, with both lines, and nothing where threads are ordered.
require "rbconfig"
require "tmpdir"

DIR = File.join(__dir__, "fixtures", "races")
TMP = Dir.mktmpdir

# Output and status.
def races(*words, env: {})
  out = IO.popen(env, [RbConfig.ruby, "races", *words, err: [:child, :out]], &:read)
  [out, $?.exitstatus]
end

# The lines that are marked in a program, and the lines that were reported: the innermost of each side.
def marked(path) = File.readlines(path).filter_map.with_index(1) { |line, number| number if line.end_with?("# race\n") }
def reported(out, path)
  out.scan(/^(?:read|write|change).* by .*\n +(.*?):(\d+):/).filter_map { |file, line| line.to_i if file == path }.uniq
    .sort
end

known = Dir[File.join(DIR, "*.rb")].reject { |path| path.end_with?("ordered.rb") }.sort
known.size # => 13
known.reject { |path| out, status = races(path); reported(out, path) == marked(path) && status == 1 && out.include?("\n1 race\n") || out.include?("\n2 races\n") }.map { |path| [File.basename(path), races(path)] } # => []

# The same under fixed schedules.
known.product([1, 2]).reject { |path, seed| races("--schedule=#{seed}", path).then { |out, _| reported(out, path) == marked(path) } }.map { |path, seed| [File.basename(path), seed] } # => []

races(File.join(DIR, "ordered.rb")) # => ["done\n\nno races found\n", 0]
races("--schedule=7", File.join(DIR, "ordered.rb")) # => ["done\n\nno races found\n", 0]

# Compiled code tells as the interpreter does: of accesses that were run so often before that they are machine code when
# they race, and of none that is ordered. What is shared is made anew, so that the first access to it comes from there.
ACCESSES = {
  "instance variable" =>
    "class Box; def touch = @n = (@n || 0) + 1; end; def new_one = Box.new; def touch(box) = box.touch",
  "attribute read and written" =>
    "class Box; attr_accessor :n; def initialize = @n = 0; end; def new_one = Box.new; def touch(box) = box.n += 1",
  "attribute that is set" => "class Box; attr_writer :n; end; def new_one = Box.new; def touch(box) = box.n = 1",
  "local variable" => "def new_one = (n = 0; -> { n += 1 }); def touch(one) = one.call",
  "global variable" => "$n = 0; def new_one = 1; def touch(_) = $n += 1",
  "class variable" => "class Box; @@n = 0; def self.touch = @@n += 1; end; def new_one = 1; def touch(_) = Box.touch",
  "element" => "def new_one = [0]; def touch(list) = list[0] += 1",
  "entry" => "def new_one = {a: 0}; def touch(table) = table[:a] += 1",
  "entry by text" => "def new_one = Hash.new(0); def touch(table) = table['a'] += 1",
  "size" => "def new_one = []; def touch(list) = (list << 1; list.size)",
  "iteration" => "def new_one = [1]; def touch(list) = list.each { |n| list[0] = n }",
  "iteration of a table" => "def new_one = {a: 1}; def touch(table) = table.each { |k, v| table[k] = v }",
  "splat" => "def new_one = [1]; def touch(list) = (a, = *list; list[0] = a)",
  "equality" => "def new_one = [1]; def touch(list) = (list[0] = 2; list == [1])",
  "by name" => "class Box; end; def new_one = Box.new; def touch(box) = box.instance_variable_set(:@n, 1)",
}
def program(access, shared)
  "#{access}\nclass Owner; def run(n) = n.times { touch(new_one) }; end\nlock, go = Mutex.new, Queue.new\n" \
    "warm = -> { Owner.new.run(300) }\nwarm.call\nshared = new_one\n" \
    "t = Thread.new { #{shared}; go << 1; sleep }\n#{shared}\ngo.pop\nt.kill.join\np Rubellite::JIT.enabled?\n"
end
MODES = ["threshold=1", "threshold=3", "threshold=30", "threshold=3,fail=7"]
silent = ACCESSES.to_a.product(MODES).filter_map do |(name, access), mode|
  out, status = races("-e", program(access, "touch(shared)"), env: {"RUBELLITE_JIT" => mode})
  [name, mode, out] unless status == 1 && out.match?(/^true$/) && out.match?(/^\d races?$/)
end
silent # => []
loud = ACCESSES.to_a.product(MODES).filter_map do |(name, access), mode|
  out, status = races("-e", program(access, "lock.synchronize { touch(shared) }"), env: {"RUBELLITE_JIT" => mode})
  [name, mode, out] unless out == "true\n\nno races found\n" && status == 0
end
loud # => []
known.product(MODES).reject { |path, mode| races(path, env: {"RUBELLITE_JIT" => mode}).then { |out, _| reported(out, path) == marked(path) } }.map { |path, mode| [File.basename(path), mode] } # => []
MODES.map { |mode| races(File.join(DIR, "ordered.rb"), env: {"RUBELLITE_JIT" => mode}) }.uniq # => [["done\n\nno races found\n", 0]]

# Variables and threads have names, and both stacks are whole.
out, = races(File.join(DIR, "global.rb"))
out[/^-- race on .*$/] # => "-- race on $requests --"
out.include?("by the main thread") && out.include?("by the thread of races/global.rb:3") # => true
races(File.join(DIR, "instance_variable.rb"))[0][/^-- race on .*$/] # => "-- race on @count of Counter --"
races(File.join(DIR, "closure.rb"))[0][/^-- race on .*$/] # => "-- race on local variable total --"
races(File.join(DIR, "class_variable.rb"))[0][/^-- race on .*$/] # => "-- race on @@started of Job --"
races(File.join(DIR, "array_element.rb"))[0][/^-- race on .*$/] # => "-- race on element 0 of an object of Array --"
races(File.join(DIR, "array_grows.rb"))[0].then { |text| [text[/in 'Array#each'/], text[/^change of the size by .*$/].nil? && text[/^change of the size.*$/].nil?] } # => ["in 'Array#each'", false]
deep = File.join(TMP, "deep.rb")
File.write(deep,
           "def inner = $n = 1\ndef outer = inner\nThread.new { outer }.tap { |t| t.name = 'writer' }.then { |t| p " \
           "$n; t.join }\n")
out, status = races(deep)
out[/by thread writer.*\n.*deep.rb:1:in 'Object#inner'\n.*deep.rb:2:in 'Object#outer'\n.*deep.rb:3:in 'block in <main>'/].nil? # => false
status # => 1

# The program's own status stays; so do its output, its exceptions and what it does with threads.
races("-e", "p 1; exit 3") # => ["1\n\nno races found\n", 3]
races("-e", "$n = 0; t = Thread.new { $n += 1 }; $n += 1; t.join; exit 4")[1] # => 4
races("-e", "raise 'x'").then { |text, code| [text[/x \(RuntimeError\)/], code] } # => ["x (RuntimeError)", 1]

# A list of those that are known.
list = File.join(TMP, "list")
global = File.join(DIR, "global.rb")
["$requests", "global.rb:3", "races/*.rb", "# none\n\n  <main>"].map { |line| File.write(list, "#{line}\n"); races("--suppress=#{list}", global) }.uniq # => [["\nno races found, 1 suppressed\n", 0]]
File.write(list, "$other\nglobal.rb:30\n")
races("--suppress", list, global)[1] # => 1

# Wrong words.
races("--help")[0].lines.first # => "Usage: rubellite races [options] [options of Ruby] FILE [arguments]\n"
races("--help")[1] # => 0
races("--supress=x", "-e", "1").then { |text, code| [text.lines.first, code] } # => ["rubellite races: invalid option --supress  (-h will show valid options)\n", 2]
races.then { |text, code| [text.lines.first, code] } # => ["rubellite races: no program\n", 2]
races("--suppress=/nonexistent", "-e", "1") # => ["rubellite races: /nonexistent: No such file or directory\n", 2]
races("/nonexistent.rb").then { |text, code| [text[/No such file or directory -- .*/], code] } # => ["No such file or directory -- /nonexistent.rb (LoadError)", 1]

# A child of fork says nothing of its parent's; a program that ends by a signal ends by it.
races("-e", "fork { exit 2 }; p Process.wait2[1].exitstatus") # => ["2\n\nno races found\n", 0]
IO.popen([RbConfig.ruby, "races", "-e", "Process.kill(:TERM, $$); sleep", err: File::NULL], &:read)
$?.termsig # => 15
# What becomes another program has told before.
races("-e", "t = Thread.new { $n = 1 }; p $n; t.join; exec 'echo', 'other'")[0].lines.last(3) # => ["\n", "1 race\n", "other\n"]
