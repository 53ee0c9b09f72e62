# A body may have more literals than numbers of 16 bits.
# A collection at each allocation takes too long for so many.
count = ENV["RUBELLITE_STRESS"] == "gc" ? 660 : 66_000
words = eval("%w[#{Array.new(count) { |i| "w#{i}" }.join(" ")}]")
[words.size - count, words.uniq.size - count, words[count - 465] == "w#{count - 465}"] # => [0, 0, true]
list = Array.new(count) { |i| "['z#{i}']" }.join(", ")
kind = eval("text = 'w3'\nlist = [#{list}]\ncase text when 'w2' then 2 when 'w3' then 3 end")
kind # => 3
