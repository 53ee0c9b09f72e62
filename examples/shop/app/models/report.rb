# Some 200 ms of Ruby code for the usual number of rounds.
class Report
  ROUNDS = 20_000

  def initialize(rounds = ROUNDS)
    @rounds = rounds
  end

  # { weekday number => { orders:, revenue: } } of invented sales.
  def totals
    random = 42
    (0...@rounds).each_with_object(Hash.new { |hash, day| hash[day] = { orders: 0, revenue: 0 } }) do |i, totals|
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      day = totals[random % 7]
      day[:orders] += 1
      day[:revenue] += [random % 97, i.to_s.reverse.to_i % 89].sum { |part| part * (i % 13) }
    end.sort.to_h
  end
end
