def m
  begin
    raise "first"
  rescue
    raise ArgumentError, "second"
  end
end
e = (m rescue $!)
e.message # => "second"
e.cause.message # => "first"
e.cause.cause # => nil
e = (begin; raise "a", cause: KeyError.new("k"); rescue => x; x; end)
e.cause # => #<KeyError: k>
e = (begin; begin; raise "a"; rescue => x; raise x; end; rescue => y; y; end)
e.cause # => nil
$! # => nil
