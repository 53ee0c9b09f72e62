# Formats numbers and strings, converts numbers to text and back.
sum = 0
180_000.times do |i|
  sum += format("%05d %-8s|%x", i, "ab", i).size
  sum += format("%.3f %e", i / 7.0, i * 1.5).size
  sum += format("%<name>s=%<value>+d", name: "n", value: i).size
  sum += (i / 3.0).to_s.size + i.to_s(2).size
  sum += "#{i}".to_i + "#{i}.25".to_f.to_i
  sum += i.to_s.rjust(8, "0").size + i.digits.size
end
puts sum
