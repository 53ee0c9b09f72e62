# Substitution with strings, hashes, blocks and back-references.
letter = "Dear Mr. Smith, your order #1234 of 56 items (total: $789.10) ships to 12 Main St. <b>Thanks</b> & regards!\n"
text = (letter * 120).freeze
escapes = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;" }
sum = 0
300.times do
  sum += text.gsub(/[&<>]/, escapes).size
  sum += text.gsub(/\d+/) { |digits| (digits.to_i + 1).to_s }.size
  sum += text.gsub(/(\w+) (\w+)/, '\2 \1').sum
  sum += text.gsub("order", "purchase").size
  sum += text.tr("a-z", "b-za").sum
  sum += text.sub(/items.*?ships/m, "-").size + text.delete("aeiou").size
  sum += text.each_line.sum { |line| line.chomp.gsub(/\s+/, "_").size }
end
puts sum
