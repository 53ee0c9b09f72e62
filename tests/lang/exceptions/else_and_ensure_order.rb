def trace(raising)
  log = []
  begin
    log << :body
    raise "x" if raising
  rescue
    log << :rescue
  else
    log << :else
  ensure
    log << :ensure
  end
  log
end
trace(false) # => [:body, :else, :ensure]
trace(true) # => [:body, :rescue, :ensure]
def values
  1
ensure
  2
end
values # => 1
def explicit
  return 1
ensure
  return 2
end
explicit # => 2
def swallow
  raise "lost"
ensure
  return :kept
end
swallow # => :kept
def else_raises
  begin
  rescue
    :not_caught
  else
    raise "from else"
  end
end
else_raises # raises RuntimeError: from else
