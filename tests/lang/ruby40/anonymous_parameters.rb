# needs: 4.0
proc { |(a, b), c| }.parameters # => [[:opt], [:opt, :c]]
proc { |(a, b), c| }.parameters(lambda: true) # => [[:req], [:req, :c]]
