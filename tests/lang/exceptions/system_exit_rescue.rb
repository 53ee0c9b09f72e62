begin
  exit(2)
rescue SystemExit => e
  e.status # => 2
  e.success? # => false
  e.message # => "exit"
end
begin
  exit(true)
rescue SystemExit => e
  e.status # => 0
  e.success? # => true
end
begin
  exit
rescue SystemExit => e
  e.status # => 0
end
