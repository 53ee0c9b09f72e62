# timeout: 60
require "rbconfig"
require "tmpdir"

dir = Dir.mktmpdir
json, html = File.join(dir, "a.json"), File.join(dir, "a.html")
words = %W[throughput reads --seconds 0.02 --threads=2 --work pi --with #{RbConfig.ruby},/nonexistent --json #{json} --html #{html}]
out = IO.popen([RbConfig.ruby, "ccbench", *words, err: [:child, :out]], &:read)
$?.exitstatus # => 0
out[/^throughput, pi \(units\/s\)\n +threads +rubellite \S+ \(1\) +rubellite \S+ \(2\) +nonexistent$/].nil? # => false
out.scan(/^ +[012] +\d+\.\d+/).size # => 5
out.include?("No such file or directory - /nonexistent") # => true
File.read(json).scan(/"figure":\d+\.\d+/).size # => 10
File.read(html).scan("<svg").size # => 2
File.read(html)[%r{<h1>ccbench</h1><p>Throughput where threads compute pi: rubellite \S+ \(1\) goes from [\d.e+]+ units/s beside 1 to [\d.e+]+ units/s beside 2; rubellite \S+ \(2\) goes }].nil? # => false

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
