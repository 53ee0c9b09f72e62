# Builds strings: appending, interpolation, join, repetition.
sum = 0
160.times do |round|
  text = +""
  6000.times do |i|
    text << "line " << i.to_s << ": " << "value=#{i * round}, " << 'x' * (i % 7) << "\n"
  end
  sum += text.bytesize
  words = Array.new(3000) { |i| "w#{i}" }
  sum += words.join(",").bytesize
  copy = text[0, 2000]
  copy.insert(100, "inserted").prepend("head ").concat(" tail")
  sum += copy.bytesize + copy.reverse.index("l")
end
puts sum
