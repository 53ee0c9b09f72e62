# flags: -w
# stderr: assigned but unused variable - unused
def m
  unused = 1
end
puts $VERBOSE
# prints: true
