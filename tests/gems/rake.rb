# gems: rake
require "rbconfig"
require "tmpdir"
Dir.mktmpdir do |dir|
  Dir.chdir(dir)
  File.write("Rakefile", <<~'RUBY')
    task default: [:a, "f.txt"]
    task(:a) { puts "a" }
    file("f.txt" => "src.txt") { |t| File.write(t.name, File.read(t.source).upcase); puts "made" }
    file("src.txt") { |t| File.write(t.name, "x") }
    desc "with args"
    task(:args, [:x]) { |_, args| puts args.x }
    namespace(:n) { multitask(par: %w[n:p1 n:p2]) { puts "par" }; task(:p1); task(:p2) }
    rule(".o" => ".c") { |t| puts "cc #{t.source}" }
    task(:fails) { raise ArgumentError, "on purpose" }
  RUBY
  File.write("m.c", "")
  run = ->(*words) { IO.popen([RbConfig.ruby, "-S", "rake", *words], err: [:child, :out], &:read) }
  puts run.call, run.call, File.read("f.txt"), run.call("args[5]", "n:par"), run.call("-T"), run.call("m.o")
  # Newer rakes name the class behind the message again.
  aborted = run.call("fails").lines.grep(/aborted|purpose/).first(2)
  puts aborted.map { |line| line.chomp.delete_suffix(" (ArgumentError)") }, run.call("--version")[/\Arake, version \d/]
  Dir.chdir("/")
end
# prints: a
# prints: made
# prints: a
# prints: X
# prints: 5
# prints: par
# prints: rake args[x]  # with args
# prints: cc m.c
# prints: rake aborted!
# prints: ArgumentError: on purpose
# prints: rake, version 1
