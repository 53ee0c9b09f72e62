# Names that the system gives have the default external encoding.
# flags: -EEUC-JP
require "tmpdir"
Dir.chdir(Dir.mktmpdir)
name = "\xA4\xA2".dup.force_encoding("EUC-JP")
File.write(name, "")
File.symlink("nowhere", "link")
Dir.children(".").include?(name) # => true
[Dir.entries("."), Dir.each_child(".").to_a, Dir.new(".").each.to_a].flatten.map { it.encoding.name }.uniq # => ["EUC-JP"]
[Dir.pwd, Dir.home, File.readlink("link"), Dir.new(".").read].map { it.encoding.name }.uniq # => ["EUC-JP"]
Dir.children(".", encoding: "UTF-8").map { it.encoding.name }.uniq # => ["UTF-8"]
File.basename(Dir.pwd + "/a").encoding.name # => "EUC-JP"

Encoding.default_external = "BINARY"
Dir.children(".").include?(name.b) # => true
Encoding.default_internal = "UTF-8"
Encoding.default_external = "EUC-JP"
Dir.children(".").sort # => ["link", "あ"]
