# `sync` after `reopen`: kept when only a path is given, else as the mode or the other IO has it, also for STDERR.
require "tmpdir"

Dir.mktmpdir do |dir|
  path = "#{dir}/a"
  open_synced = -> { File.open(path, "w").tap { _1.sync = true } }
  open_synced.call.reopen(path).sync # => true
  open_synced.call.reopen(path, "w").sync # => false
  open_synced.call.reopen(path, mode: "w").sync # => false
  open_synced.call.reopen(File.open(path, "w")).sync # => false
  File.open(path, "w").reopen(open_synced.call).sync # => true

  saved = STDERR.dup
  STDERR.reopen(path, "w")
  STDERR.sync # => false
  STDERR.reopen(open_synced.call)
  STDERR.sync # => true
  STDERR.reopen(File.open(path, "w"))
  STDERR.sync # => false
  STDERR.reopen(saved)
end
