# Makes, compares and sends symbols.
class Target
  %w[alpha beta gamma delta].each_with_index { |name, i| define_method(name) { |x| x + i } }
end

target = Target.new
names = %i[alpha beta gamma delta]
sum = 0
600_000.times do |i|
  sum = target.send(names[i & 3], sum)
  sum += 1 if names[i & 3] == :gamma
  key = "key_#{i % 500}".to_sym
  sum += key.length
  sum += 1 if key.to_proc.arity < 0
  sum += key.to_s.length if key.end_with?("7")
  sum ^= (key <=> :key_250)
end
puts sum
puts(%w[a bb ccc].map(&:to_sym).map(&:size).sum + 2_000_000.times.sum { |i| i.public_send(:succ) })
