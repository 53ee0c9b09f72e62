apps_require "toml", "tomlrb", "hocon", "dotenv", "deep_merge", "semantic_puppet", "hashdiff"

text = "title = \"x\"\n[a.b]\nc = [1, 2]\nd = 1979-05-27T07:32:00Z\n[[e]]\nf = true\n[[e]]\nf = 2.5\n"
p Tomlrb.parse(text).to_a.flatten.first(4), TOML.load("a = 1\n[b]\nc = \"d\"\n").to_a,
  TOML::Generator.new("a" => { "b" => [1, 2] }).body
p Hocon.parse("a { b = 1, c = ${a.b} }\nd = [1, 2] [3]\nlong = 10\n").to_a
File.write(".env", "A=1\nB=\"two $A\"\nexport C='three $A' # comment\n")
p Dotenv::Parser.call(File.read(".env")).to_a
p({ "a" => { "b" => [1] } }.deep_merge!({ "a" => { "b" => [2], "c" => 3 } }).to_a)
p SemanticPuppet::VersionRange.parse(">=1.2 <2").include?(SemanticPuppet::Version.parse("1.9.9")),
  SemanticPuppet::Version.parse("1.0.0-rc.1") < SemanticPuppet::Version.parse("1.0.0")
p Hashdiff.diff({ "a" => 1, "b" => [1, 2] }, { "a" => 2, "b" => [1, 3], "c" => nil })
