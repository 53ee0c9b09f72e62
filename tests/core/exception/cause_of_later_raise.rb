# An exception that was raised while nothing else was handled may still get a cause when it is raised again;
# one that became a cause stays without.
def causes(e) = e ? [e.message, *causes(e.cause)] : []
def raised(...) = (raise(...) rescue $!)
def raised_while_handling(e)
  raise "other"
rescue
  causes(raised(e))
end
def fresh(...) = raised(RuntimeError.new("e"), ...)

raised_while_handling(fresh) # => ["e", "other"]
raised_while_handling(fresh(cause: nil)) # => ["e", "other"]
raised_while_handling(fresh(cause: RuntimeError.new("given"))) # => ["e", "given"]
raised_while_handling(fresh.dup) # => ["e", "other"]
raised_while_handling(fresh.exception("new")) # => ["new", "other"]
twice = fresh
raised_while_handling(twice) # => ["e", "other"]
causes(raised(twice, cause: nil)) # => ["e", "other"]
causes(raised(twice, cause: RuntimeError.new("given"))) # => ["e", "given"]
own = fresh
causes(raised(own, cause: own)) # => ["e"]
raised_while_handling(own) # => ["e", "other"]

# A cause is settled.
first = fresh
causes(raised("second", cause: first)) # => ["second", "e"]
raised_while_handling(first) # => ["e"]
raised_while_handling(first.dup) # => ["e"]
caught = begin
  begin
    raise twice = RuntimeError.new("e")
  rescue
    raise "second"
  end
rescue => second
  [causes(second), causes(raised(twice))]
end
caught # => [["second", "e"], ["e"]]

# No circles.
a = RuntimeError.new("a")
b = RuntimeError.new("b")
causes(raised(a, cause: b)) # => ["a", "b"]
raise b, cause: a # raises ArgumentError: circular causes
causes(raised(a, cause: b)) # => ["a", "b"]

# A frozen one that was raised before goes out as a copy.
frozen = fresh.freeze
raised_while_handling(frozen) # => ["e", "other"]
frozen.cause # => nil
raised(frozen).equal?(frozen) # => false
raised_while_handling(RuntimeError.new("never raised").freeze) # => ["never raised"]

# What ended a thread is raised by join.
failed = Thread.new { raise "in thread" }.tap { |t| t.report_on_exception = false }
handled = begin
  raise "other"
rescue
  causes((failed.join rescue $!))
end
handled # => ["in thread", "other"]
fiber = Fiber.new { Fiber.yield }
fiber.resume
handled = begin
  raise "other"
rescue
  causes((fiber.raise(fresh) rescue $!))
end
handled # => ["e", "other"]
