# `using` in an eval with a binding holds for later evals with that binding, as in an interactive session.
module Loud
  refine String do
    def shout = upcase + "!"
  end
end

module Louder
  refine String do
    def shout = upcase + "!!"
  end
end

session = binding
eval("using Loud; 'a'.shout", session) # => "A!"
eval("'b'.shout", session) # => "B!"
session.eval("[1].map { 'c'.shout }") # => ["C!"]
session.eval("def of_session = 'd'.shout")
of_session # => "D!"
session.eval("using Louder")
session.eval("'e'.shout") # => "E!!"
of_session # => "D!"
session.eval("binding").eval("'f'.shout") # => "F!!"
session.dup.eval("'g'.shout") # => "G!!"

class Scope
  HERE = binding
  def shout = "h".shout
end
eval("using Loud", Scope::HERE)
eval("'i'.shout", Scope::HERE) # => "I!"
Scope.new.shout # raises NoMethodError: undefined method 'shout' for an instance of String
eval("using Loud")
