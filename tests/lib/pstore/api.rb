# Transactions, keys and errors of PStore.
require "pstore"
require "tmpdir"
dir = Dir.mktmpdir
file = File.join(dir, "a.store")
store = PStore.new(file)
store.path == file # => true
File.exist?(file) # => false
store.transaction(true) { [store[:a], store.keys] } # => [nil, []]
File.exist?(file) # => false
store.transaction { :value } # => :value
File.size(file) # => 0
store.transaction { store[:a] = [1, 2] } # => [1, 2]
File.binread(file) # => "\x04\b{\x06:\x06a[\ai\x06i\a"
store.transaction { store[:a] << 3 } # => [1, 2, 3]
store.transaction(true) { store[:a] } # => [1, 2, 3]
store.transaction { store["text"] = "é" * 3; store.keys } # => [:a, "text"]
store.transaction { store.roots } # => [:a, "text"]
store.transaction { [store.key?(:a), store.root?(:b)] } # => [true, false]
store.transaction { store.fetch(:a) } # => [1, 2, 3]
store.transaction { store.fetch(:b) } # raises PStore::Error: undefined key 'b'
store.transaction { store.fetch(:b, :default) } # => :default
store.transaction { store.delete(:a) } # => [1, 2, 3]
store.transaction { store.delete(:a) } # => nil
Marshal.load(File.binread(file)) # => {"text" => "ééé"}

store.transaction { store[:x] = 1; store.abort } # => nil
store.transaction { store[:x] } # => nil
store.transaction { store[:x] = 1; store.commit; store[:x] = 2 } # => nil
store.transaction { store[:x] } # => 1
begin store.transaction { store[:x] = 3; raise "oops" }; rescue RuntimeError => e; e.message; end # => "oops"
store.transaction { store[:x] } # => 1
[1, 2].each { |n| store.transaction { store[:x] = n; break } }
store.transaction { store[:x] } # => 1

# What a transaction gave does not change what the next one sees.
text = store.transaction { store["text"] }
text << "!"
store.transaction { store["text"] } # => "ééé"
store.transaction { store["text"] << "!" } # => "ééé!"
store.transaction(true) { store["text"] } # => "ééé!"

store[:x] # raises PStore::Error: not in transaction
store[:x] = 1 # raises PStore::Error: not in transaction
store.keys # raises PStore::Error: not in transaction
store.abort # raises PStore::Error: not in transaction
store.transaction(true) { store[:x] = 1 } # raises PStore::Error: in read-only transaction
store.transaction(true) { store.delete(:x) } # raises PStore::Error: in read-only transaction
store.transaction { store.transaction {} } # raises PStore::Error: nested transaction
PStore.new(file, true).then { |s| s.transaction { s.transaction {} } } # raises PStore::Error: nested transaction
PStore.new(File.join(dir, "none", "a.store")).path.sub(dir, "") # raises PStore::Error
PStore::Error.superclass # => StandardError
store.transaction { store[:p] = -> {} } # raises TypeError: no _dump_data is defined for class Proc
store.transaction { store.keys } # => ["text", :x]

store.ultra_safe # => false
store.ultra_safe = true
store.transaction { store[:safe] = true } # => true
store.transaction(true) { store[:safe] } # => true
Dir.children(dir) # => ["a.store"]
