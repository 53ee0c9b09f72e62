# An extension uses a function of one that was loaded before it, and is refused where that is not there.
require_relative "fixtures/build"
begin
  load_c("consumer")
rescue LoadError => error
  error.message[/undefined symbol: \w+/] # => "undefined symbol: provided_number"
end
load_c("provider")
load_c("consumer")
number_of_another # => 42
