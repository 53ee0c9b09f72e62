# What lies on the disk: changes by others, damaged files, links, permissions.
require "pstore"
require "tmpdir"
dir = Dir.mktmpdir
file = File.join(dir, "a.store")
store = PStore.new(file)
store.transaction { store[:n] = 1 }
# Changes by others are seen, also those that keep size and time.
other = PStore.new(file)
200.times do |i|
  other.transaction { other[:n] = i % 100 }
  raise "stale" unless store.transaction(true) { store[:n] } == i % 100
end
200.times do |i|
  File.binwrite(file, Marshal.dump({ n: i % 50 }))
  raise "stale" unless store.transaction { store[:n] } == i % 50
end
store.transaction { store[:n] } # => 49
other.transaction { other[:n] } # => 49
File.unlink(file)
store.transaction(true) { store.keys } # => []
store.transaction { store[:again] = 1 } # => 1
File.rename(file, file + ".old")
File.binwrite(file, Marshal.dump({ new: "file" }))
store.transaction { store.keys } # => [:new]

# Damaged files are refused and stay as they are.
File.binwrite(file, "\x04\x08[\x06i\x06")
store.transaction { store.keys } # raises PStore::Error: PStore file seems to be corrupted.
store.transaction(true) { store.keys } # raises PStore::Error: PStore file seems to be corrupted.
File.binread(file) # => "\x04\b[\x06i\x06"
File.binwrite(file, Marshal.dump({ a: "x" * 100 })[0..-20])
store.transaction {} # raises ArgumentError: marshal data too short
File.binwrite(file, "nonsense")
store.transaction {} # raises TypeError: incompatible marshal file format (can't be read)\n	format version 4.8 required; 110.111 given
# What lies behind the data is not read, and goes with the next change.
File.binwrite(file, Marshal.dump({ a: 1 }) + "garbage")
store.transaction { store[:a] } # => 1
store.transaction { store[:a] = 2 } # => 2
File.binread(file) == Marshal.dump({ a: 2 }) # => true

# A symbolic link stays one, permissions stay, in both modes.
link = File.join(dir, "link.store")
File.symlink(file, link)
File.chmod(0o640, file)
[false, true].each do |safe|
  linked = PStore.new(link)
  linked.ultra_safe = safe
  linked.transaction { linked[:safe] = safe }
  File.symlink?(link) # => true
  (File.stat(file).mode & 0o777).to_s(8) # => "640"
  PStore.new(file).then { |s| s.transaction(true) { s[:safe] } } == safe # => true
end
store.transaction { File.size(file) } == Marshal.dump({ a: 2, safe: true }).bytesize # => true

# Bytes are the same as those of Marshal, whatever changes: longer, shorter, in the middle.
seed = 7
draw = ->(n) { (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % n }
expected = {}
store.transaction { store.keys.each { |k| store.delete(k) } }
wrong = 0
400.times do
  store.transaction do
    key = "key#{draw[12]}"
    case draw[4]
    when 0 then store.delete(key); expected.delete(key)
    when 1 then value = draw[1000]
    else value = (draw[256]).chr * draw[draw[3] == 0 ? 20_000 : 50]
    end
    store[key] = expected[key] = value if value
  end
  wrong += 1 unless File.binread(file) == Marshal.dump(expected)
end
wrong # => 0
