# `p` writes at once, and is no wait for `handle_interrupt` all the same.
program = <<~'RUBY'
  ready = false
  thread = Thread.new do
    Thread.current.report_on_exception = false
    Thread.handle_interrupt(RuntimeError => :on_blocking) do
      ready = true
      nil while ready
      p :first
      p :second
      sleep
    end
  end
  Thread.pass until ready
  thread.raise "stop"
  ready = false
  p((thread.join rescue $!))
RUBY
IO.popen([RbConfig.ruby, "-e", program], &:read) # => ":first\n:second\n#<RuntimeError: stop>\n"
