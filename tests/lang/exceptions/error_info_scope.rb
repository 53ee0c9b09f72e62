$! # => nil
begin
  raise "one"
rescue
  $!.message # => "one"
  begin
    raise "two"
  rescue
    $!.message # => "two"
  end
  $!.message # => "one"
end
$! # => nil
def m
  raise "in method"
rescue
  $!.message
end
m # => "in method"
$! # => nil
$@ # => nil
