# Threads and processes on one file lose nothing; a writer that is killed at any instant leaves the old or the new
# state.
require "pstore"
require "tmpdir"
dir = Dir.mktmpdir
file = File.join(dir, "count.store")
pids = 3.times.map do
  fork do
    store = PStore.new(file)
    300.times { store.transaction { store[:n] = (store[:n] || 0) + 1; store["pad"] = "x" * (store[:n] % 97) } }
    exit!(0)
  end
end
pids.each { |pid| Process.wait(pid) }
PStore.new(file).then { |s| s.transaction(true) { s[:n] } } # => 900

store = PStore.new(file, true)
threads = 4.times.map { Thread.new { 100.times { store.transaction { store[:n] += 1 } } } }
threads.each(&:join)
store.transaction(true) { store[:n] } # => 1300
stores = 4.times.map { PStore.new(file) }
stores.map { |s| Thread.new { 50.times { s.transaction { s[:n] += 1 } } } }.each(&:join)
store.transaction(true) { store[:n] } # => 1500

# Each state that is ever committed: n, a text of n bytes and n again.
file = File.join(dir, "kill.store")
PStore.new(file).then { |s| s.transaction { s[:first] = 0; s[:text] = ""; s[:last] = 0 } }
whole = 40.times.count do |i|
  pid = fork do
    s = PStore.new(file)
    loop { s.transaction { n = s[:first] + 1; s[:first] = n; s[:text] = "#{n % 10}" * (n % 9000); s[:last] = n } }
  end
  sleep(0.003 + (i % 7) * 0.002)
  Process.kill(:KILL, pid)
  Process.wait(pid)
  PStore.new(file)
    .then { |s| s.transaction(i.odd?) { n = s[:first]; s[:last] == n && s[:text] == "#{n % 10}" * (n % 9000) } }
end
whole # => 40
