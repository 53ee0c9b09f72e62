# An extension that needs a function nobody has: a LoadError with the function's name, and the program goes on.
require_relative "fixtures/build"
begin
  load_c("missing")
rescue LoadError => error
  error.message[/undefined symbol: \w+/] # => "undefined symbol: rb_nobody_has_this"
  error.message.end_with?("missing.so") # => true
  File.basename(error.path) # => "missing.so"
end
respond_to?(:missing_call, true) # => false
$LOADED_FEATURES.any? { |path| path.end_with?("missing.so") } # => false
