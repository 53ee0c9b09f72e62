# stderr: a warning
warn "a warning"
warn "x", category: :deprecated
warn # => nil
$VERBOSE = nil
warn "silent"
Warning[:experimental] # => true
