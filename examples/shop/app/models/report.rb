# Some 200 ms of Ruby code.
class Report
  ROUNDS = 300_000

  # { weekday number => { orders:, revenue: } } of invented sales.
  def totals
    random = 42
    (0...ROUNDS).each_with_object(Hash.new { |hash, day| hash[day] = { orders: 0, revenue: 0 } }) do |i, totals|
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      day = totals[random % 7]
      day[:orders] += 1
      day[:revenue] += [random % 97, i.to_s.reverse.to_i % 89].sum { |part| part * (i % 13) }
    end.sort.to_h
  end
end
