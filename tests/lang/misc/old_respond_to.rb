# A `respond_to?` that takes no second parameter is asked without it, which is said where deprecated things are.
# stderr: old_respond_to.rb:12: warning: Old#respond_to?(:to_ary) uses the deprecated method signature, which takes one parameter
# stderr: old_respond_to.rb:8: warning: respond_to? is defined here

Warning[:deprecated] = true

class Old
  def respond_to?(name) = false
end

old = Old.new
[old].flatten == [old] # => true
Warning[:deprecated] = false
[old].flatten == [old] # => true
