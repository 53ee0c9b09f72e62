tries = 0
begin
  tries += 1
  raise "no" if tries < 3
rescue
  retry
end
tries # => 3
