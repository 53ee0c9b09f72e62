# What `cargo xtask test` preloads: a check tells the runner its line and what it saw, between the bytes 1 and 2 on
# standard output; the runner compares. Nothing here may need more of the runtime than a write to STDOUT.
module Expect
  OUT = STDOUT
  # What was said before a crash must arrive.
  OUT.sync = true

  def self.value(line, value)
    OUT.write("\x01v#{line} #{value.inspect}\x02")
    value
  end

  def self.raised(line)
    value = yield
    OUT.write("\x01n#{line} #{value.inspect}\x02")
    value
  rescue Exception => error
    OUT.write("\x01r#{line} #{error.class}: #{error.message}\x02")
    nil
  end
end
