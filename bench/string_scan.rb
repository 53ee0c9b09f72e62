# Looks through text: each_char, index, split, tr, count, comparison, case.
line = "the quick brown fox jumps over the lazy dog; PACK my box with five dozen liquor jugs, 0123456789. "
text = line * 200
counts = Hash.new(0)
20.times { text.each_char { |char| counts[char] += 1 } }
vowels = words = found = 0
300.times do
  vowels += text.count("aeiou")
  words += text.split(" ").count { |word| word.length > 3 }
  at = 0
  while (at = text.index("fox", at))
    found += 1
    at += 3
  end
  found += text.tr("a-m", "n-z").bytesize + text.upcase.count("A-Z") + text.squeeze.size
  text.each_line(" ") { |part| found += 1 if part.start_with?("qu") && part.end_with?(" ") }
end
i = 0
while i < text.size
  found += text.getbyte(i)
  i += 1
end
puts counts.sort.inspect.sum, vowels, words, found
