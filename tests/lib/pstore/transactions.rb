require "pstore"
path = "scratch_pstore"
store = PStore.new(path)
store.transaction { store[:a] = [1, 2]; store[:b] = "x"; :result } # => :result
store.transaction(true) { store[:a] } # => [1, 2]
store.transaction(true) { store.fetch(:b) } # => "x"
store.transaction { store[:a] << 3; store.abort } # => nil
store.transaction(true) { store[:a] } # => [1, 2]
store.transaction { store.delete(:b) } # => "x"
store.transaction(true) { store.keys } # => [:a]
store.transaction(true) { store.key?(:b) } # => false
store.transaction { store[:c] = 1; store.commit; :after } # => nil
store.transaction(true) { store[:c] } # => 1
store[:a] # raises PStore::Error: not in transaction
store.transaction(true) { store[:z] = 1 } # raises PStore::Error: in read-only transaction
store.transaction { store.transaction { } } # raises PStore::Error: nested transaction
store.transaction(true) { store.fetch(:zz) } # raises PStore::Error: undefined key 'zz'
store.transaction(true) { store.fetch(:zz, :default) } # => :default
(store.transaction { store[:lost] = 1; raise "x" } rescue $!.message) # => "x"
store.transaction(true) { store.key?(:lost) } # => false
Marshal.load(File.binread(path)) # => {a: [1, 2], c: 1}
PStore.new(path).transaction(true) { |s| s[:a] } # => [1, 2]
File.unlink(path)
