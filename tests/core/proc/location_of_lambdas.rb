# A lambda begins behind its parameters.
braces = ->(x,
            y) {
  x + y
}
words = ->(x,
           y) do
  x + y
end
[braces, words, -> {}].map { it.source_location[1] } # => [3, 7, 10]
