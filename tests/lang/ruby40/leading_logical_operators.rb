# needs: 4.0
a = true
  && false
a # => false
b = nil
  || 5
b # => 5
c = if a
  or b
  :taken
end
c # => :taken
