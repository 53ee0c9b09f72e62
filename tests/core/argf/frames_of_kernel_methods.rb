# `gets` and its like are ARGF's: backtraces show both.
def places
  ARGV.replace(["missing"])
  yield
rescue SystemCallError => e
  e.backtrace.first(2).map { |place| place[/'.*'/] }
end

places { gets } # => ["'ARGF.class#gets'", "'Kernel#gets'"]
places { readline } # => ["'ARGF.class#readline'", "'Kernel#readline'"]
places { readlines } # => ["'ARGF.class#readlines'", "'Kernel#readlines'"]
places { ARGF.gets } # => ["'ARGF.class#gets'", "'block in <main>'"]
