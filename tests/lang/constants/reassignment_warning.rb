# stderr: warning: already initialized constant A
# stderr: warning: already initialized constant A
A = 1
A = 2
A # => 2
