# A long Hash is doubled in stages, between which other threads store, delete, read and copy.
# timeout: 60
numbers = {}
250_000.times { numbers[it] = it }
others = Array.new(3) do |number|
  Thread.new do
    from = 300_000 + number * 100_000
    40_000.times do |i|
      numbers[from + i] = i
      numbers.delete(from + i - 3) if i % 97 == 0
      raise "lost" unless numbers[number] == number && (i < 10 || numbers[from + i - 1] == i - 1)
    end
  end
end
copies = Thread.new { Array.new(5) { Thread.pass; numbers.dup } }
others.each(&:join)
numbers.size # => 368764
lost = 0
250_000.times { lost += 1 unless numbers[it] == it }
copies.value.each { |copy| copy.each { |key, value| lost += 1 unless copy[key] == value } }
lost # => 0
copies.value.all? { it.size >= 250_000 } # => true

# It is emptied, or becomes another, meanwhile.
emptied = 3.times.map do |round|
  table = {}
  262_144.times { table[it] = round }
  adds = Thread.new { 50.times { |i| table[300_000 + i] = i } }
  Thread.pass
  round == 0 ? table.clear : table.replace({ "one" => 1 })
  adds.join
  table["last"] = 0
  table.size.between?(1, 53) && table["last"] == 0
end
emptied # => [true, true, true]
