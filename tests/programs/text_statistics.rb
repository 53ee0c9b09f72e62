# Unicode text: scanning, counting, sorting, wrapping.
text = <<~TEXT
  Der Fluß fließt über Stock und Stein; über Stein und Stock.
  Ça va? Ça va bien, merci. Ночь, улица, фонарь.
TEXT
words = text.scan(/[[:alpha:]]+/)
words.size # => 20
words.tally.select { |_, n| n > 1 }.sort # => [["Stein", 2], ["Stock", 2], ["und", 2], ["va", 2], ["Ça", 2], ["über", 2]]
words.map(&:downcase).uniq.max_by(&:length) # => "fließt"
text.each_char.select { |c| c.bytesize > 1 }.uniq.sort.join # => "ÇßüНаилноруфцчь"
text.gsub(/\s+/, " ").scan(/\S.{0,28}\S(?=\s|$)|\S+/) # => ["Der Fluß fließt über Stock und", "Stein; über Stein und Stock.", "Ça va? Ça va bien, merci.", "Ночь, улица, фонарь."]
words.group_by(&:length).transform_values(&:size).sort.to_h # => {2 => 4, 3 => 3, 4 => 5, 5 => 6, 6 => 2}
text.unicode_normalize(:nfd).length - text.length # => 4
text.lines.map { |l| l.chomp.reverse[0, 5] } # => [".kcot", ".ьран"]
