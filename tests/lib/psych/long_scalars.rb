# Long texts are written outside the lock, and read again as they were.
require "yaml"

long = "wörld and " * 20_000
bytes = "\xff\x00abc".b * 30_000
[YAML.load(YAML.dump(long)) == long, YAML.load(YAML.dump(bytes)) == bytes] # => [true, true]
YAML.load(YAML.dump({ "a" => [long, { "b" => long }], "c" => 1 })) == { "a" => [long, { "b" => long }], "c" => 1 } # => true
texts = Array.new(4) { Thread.new { YAML.dump([long, bytes]) } }.map(&:value)
texts.uniq.size # => 1
turns = 0
other = Thread.new { loop { turns += 1; Thread.pass } }
YAML.dump("ä" * 3_000_000).size # => 3000005
other.kill.join
turns > 10 # => true
