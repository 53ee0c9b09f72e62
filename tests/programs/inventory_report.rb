# Structs, grouping, formatting, string alignment.
Item = Struct.new(:name, :group, :price, :count) do
  def total = price * count
end
items = DATA.each_line(chomp: true).map do |line|
  name, group, price, count = line.split(/\s*,\s*/)
  Item.new(name, group.to_sym, Rational(price), count.to_i)
end
items.group_by(&:group).sort.each do |group, list|
  puts group.to_s.capitalize.center(30, "-")
  list.sort_by { |i| [-i.total, i.name] }
    .each { |i| puts format("%-12s%6.2f x%3d %8.2f", i.name, i.price, i.count, i.total) }
  puts format("%30.2f", list.sum(&:total))
end
puts items.map(&:name).max_by(&:length), items.partition { |i| i.count > 5 }.map(&:size).inspect
# prints: ------------Fruit-------------
# prints: apple         0.35 x120    42.00
# prints: pear          0.60 x 40    24.00
# prints:                          66.00
# prints: -------------Tool-------------
# prints: screwdriver   4.25 x 10    42.50
# prints: hammer       12.50 x  3    37.50
# prints:                          80.00
# prints: screwdriver
# prints: [3, 1]
__END__
apple, fruit, 0.35, 120
pear, fruit, 0.60, 40
hammer, tool, 12.50, 3
screwdriver, tool, 4.25, 10
