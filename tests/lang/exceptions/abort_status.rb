# status: 1
# stderr: giving up
abort "giving up"
