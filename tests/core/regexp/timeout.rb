Regexp.new("a", timeout: 0.5).timeout # => 0.5
begin
  Regexp.new("^(a*)*\\1$", timeout: 0.05).match("a" * 40 + "b")
rescue Regexp::TimeoutError => e
  e.message # => "regexp match timeout"
end
Regexp.timeout = -1 # raises ArgumentError: invalid timeout: -1
