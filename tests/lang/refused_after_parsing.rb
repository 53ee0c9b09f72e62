# An evaluated text that the parser accepts and the compiler refuses:
# the backtrace of its SyntaxError is the path alone.
def refusal
  yield
rescue SyntaxError => error
  [error.message, error.backtrace, error.backtrace_locations, error.path]
end

refusal { Object.class_eval("class Refused; yield; end", "view.rb", 7) } # => ["view.rb:7: Invalid yield", ["view.rb"], nil, "view.rb"]
refusal { eval("class Refused; yield; end") }[1..2] == [["(eval at #{__FILE__}:#{__LINE__})"], nil] # => true

# What the parser refuses has the backtrace of the call.
refusal { Object.class_eval("1 +", "view.rb", 7) }[1].first.end_with?("in 'Module#class_eval'") # => true
