# Counts the words of the files named, or of standard input, and shows the most frequent.
counts = Hash.new(0)
ARGF.each_line do |line|
  line.scan(/[[:alpha:]]+/) { |word| counts[word.downcase] += 1 }
end

counts.sort_by { |word, count| [-count, word] }.first(10).each do |word, count|
  puts format("%6d  %s", count, word)
end
