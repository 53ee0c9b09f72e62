$log = []
def ret
  begin
    return :value
  ensure
    $log << :ret
  end
end
ret # => :value
[1, 2].each do |x|
  begin
    next if x == 1
    break
  ensure
    $log << x
  end
end
r = catch(:t) do
  begin
    throw :t, 5
  ensure
    $log << :throw
  end
end
r # => 5
i = 0
while i < 2
  begin
    i += 1
    next
  ensure
    $log << [:loop, i]
  end
end
def nested
  begin
    begin
      raise "a"
    ensure
      $log << :inner
    end
  rescue
    $log << :rescued
  ensure
    $log << :outer
  end
end
nested
$log # => [:ret, 1, 2, :throw, [:loop, 1], [:loop, 2], :inner, :rescued, :outer]
