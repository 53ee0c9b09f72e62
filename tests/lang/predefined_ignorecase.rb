# flags: -W:deprecated
# stderr: variable $= is no longer effective
# stderr: variable $= is no longer effective; ignored
$= # => false
($= = true) # => true
$= # => false
