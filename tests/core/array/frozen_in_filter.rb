# An array that its block freezes keeps what it had.
results = %i[delete_if reject! select! keep_if].map do |name|
  list = [1, 2, 3, 42]
  begin
    list.public_send(name) { list.freeze; name == :delete_if || name == :reject! }
  rescue => e
    [e.class, list]
  end
end
results # => [[FrozenError, [1, 2, 3, 42]], [FrozenError, [1, 2, 3, 42]], [FrozenError, [1, 2, 3, 42]], [FrozenError, [1, 2, 3, 42]]]
