# `$!` is what it was before a construct once that is left, through ensure clauses and other exits, too.
SEEN = []
def nested
  raise "1"
rescue
  begin
    begin
      raise "2"
    ensure
      SEEN << $!.message
    end
  rescue => error
    SEEN << $!.message << error.cause.message
  end
  SEEN << $!.message
end
nested
SEEN # => ["2", "2", "1", "1"]
$! # => nil
def thrown
  begin
    begin
      raise "3"
    rescue
      throw :out
    end
  ensure
    SEEN.replace([$!])
  end
end
catch(:out) { thrown }
SEEN # => [nil]
def unmatched
  raise "4"
rescue
  begin
    Integer("x")
  rescue TypeError
    nil
  end rescue SEEN.replace([$!.class])
  SEEN << $!.message
end
unmatched
SEEN # => [ArgumentError, "4"]
tries = 0
begin
  tries += 1
  raise "5" if tries < 3
  SEEN.replace([tries, $!])
rescue
  retry
end
SEEN # => [3, nil]
