# A body may have more literals than numbers of 16 bits.
count = 66_000
words = eval("%w[#{Array.new(count) { |i| "w#{i}" }.join(" ")}]")
[words.size, words.uniq.size, words[65_535], words.last] # => [66000, 66000, "w65535", "w65999"]
list = Array.new(count) { |i| "['z#{i}']" }.join(", ")
kind = eval("text = 'w3'\nlist = [#{list}]\ncase text when 'w2' then 2 when 'w3' then 3 end")
kind # => 3
