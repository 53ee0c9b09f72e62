# timeout: 240
require "json"
require "rbconfig"
require "tmpdir"

dir = Dir.mktmpdir
json, html = File.join(dir, "a.json"), File.join(dir, "a.html")
words = %W[throughput reads --seconds 0.02 --runs=3 --threads=2 --work pi --with #{RbConfig.ruby},/nonexistent --json
           #{json} --html #{html}]
out = IO.popen([RbConfig.ruby, "ccbench", *words, err: [:child, :out]], &:read)
$?.exitstatus # => 0
out[/^throughput, pi \(units\/s\)\n +threads +rubellite \S+ \(1\) +rubellite \S+ \(2\) +nonexistent$/].nil? # => false
out.scan(/^ +[012]  +~?\d+\.\d+ \[\d+\.\d+ to \d+\.\d+\]/).size # => 5
out.scan("No such file or directory - /nonexistent").size # => 1
out[/^An idle loop was kept from running for [\d.]+ % of the time, /].nil? # => false
out.scan(/^ccbench: run (\d) of 3, /).flatten # => ["1", "1", "1", "2", "2", "3", "3"]
about = JSON.parse(File.read(json))
about["runs"].flat_map { |run| run["results"].map { |result| result["figures"].size } } # => [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
about["runs"][0]["results"].all? { |result| result["figures"].sort[1] == result["figure"] } # => true
about["noise"].keys # => ["lost", "longest_us", "pace", "late_us", "latest_us"]
page = File.read(html)
page.scan("<svg").size # => 2
page[/<p>2 threads that compute pi get done ~?[\d.,]+ units\/s \([\d.,]+ to [\d.,]+ units\/s\) on rubellite \S+ \(1\), /].nil? # => false

def ccbench(*words)
  IO.popen([RbConfig.ruby, "ccbench", *words, err: [:child, :out]], &:read)
end

ccbench("nonsense").lines.values_at(0, 2) # => ["ccbench: invalid argument: nonsense\n", "Usage: rubellite ccbench [options] [KINDS]\n"]
$?.exitstatus # => 2
ccbench("--nonsense").lines.first # => "ccbench: invalid option: --nonsense\n"
$?.exitstatus # => 2
ccbench("--threads=x").lines.first # => "ccbench: invalid argument: --threads=x\n"
ccbench("--work=idle").lines.first # => "ccbench: invalid argument: idle\n"
ccbench("--json=#{dir}/none/a.json").sub(dir, "DIR") # => "ccbench: No such file or directory @ rb_sysopen - DIR/none/a.json\n"
$?.exitstatus # => 2
ccbench("--help").lines.first # => "Usage: rubellite ccbench [options] [KINDS]\n"
$?.exitstatus # => 0
ccbench("--runs=0").lines.first # => "ccbench: invalid argument: --runs=0\n"
ccbench("--seconds=-1").lines.first # => "ccbench: invalid argument: --seconds=-1.0\n"
ccbench("--compare=#{dir}/none.json").sub(dir, "DIR") # => "ccbench: No such file or directory @ rb_sysopen - DIR/none.json\n"
ccbench("--compare=#{html}").sub(dir, "DIR") # => "ccbench: DIR/a.html holds no figures of ccbench\n"
$?.exitstatus # => 2

# Figures that have changed beyond doubt are told, ranges that overlap and single runs are not.
one = ->(kind, work, figures) { { kind:, work:, threads: 1, unit: kind == "reads" ? "reads/s" : "units/s", figures: } }
results = [one["reads", "pi", [0.2, 0.1, 0.3]], one["throughput", "pi", [1e9, 0.1, 2e9]]]
old = File.join(dir, "old.json")
File.write(old, JSON.generate(program: "ccbench", seconds: 0.02, runs: [{ ruby: "rubellite 3.9", results: }]))
out = ccbench(*%W[throughput reads --seconds=0.02 --runs=3 --threads=1 --work=pi --compare=#{old}])
out[/^Against the older figures .* lie apart\.$/] # => "Against the older figures 1 are better and 0 worse, of the other 1 the ranges overlap: these runs show no difference. By chance alone 0.2 would lie apart."
out[/^They are of another machine: one that is not named; here /].nil? # => false
out.include?("The machine's own noise was not measured then.") # => true
out.scan(/^  ~?better reads, pi, 1 threads, .*, was 0\.2 reads\/s \(0\.1 to 0\.3 reads\/s\): [\d.]+ times, [\d.]+ at least$/).size # => 1
File.write(old,
           JSON.generate(program: "ccbench", seconds: 0.02,
                         runs: [{ ruby: "rubellite 3.9", results: [one["reads", "pi", [0.1]]] }]))
out = ccbench(*%W[reads --seconds=0.02 --runs=3 --threads=1 --work=pi --compare=#{old}])
out[/^Against the older figures .*/] # => "Against the older figures 0 are better and 0 worse, of the other 0 the ranges overlap: these runs show no difference."
out.include?("All of 1 have fewer than three runs on one side: of these nothing can be said.") # => true
