# Searches that cost much each and find little: between two of them other threads get their turns.
TEXT = ("x " * 120 + "\n") * 100
SLOW = /(?:x ?)*y|\n/
Rubellite::Lock.slice = 0.0005 if defined?(Rubellite)

def others_run
  count = 0
  done = false
  other = Thread.new { count += 1 until done }
  Thread.pass until count > 0
  before = count
  yield
  count > before
ensure
  done = true
  other.join
end

others_run { TEXT.scan(SLOW) } # => true
others_run { TEXT.gsub(SLOW, "z") } # => true
others_run { TEXT.split(SLOW) } # => true
