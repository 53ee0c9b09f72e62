# A body may have more literals than numbers of 16 bits.
count = 70_000
words = eval("%w[#{Array.new(count) { |i| "w#{i}" }.join(" ")}]")
[words.size, words.uniq.size, words[65_535], words.last] # => [70000, 70000, "w65535", "w69999"]
table = eval("{#{Array.new(count) { |i| "'k#{i}' => [#{i}, :v#{i}]" }.join(", ")}}")
[table.size, table["k65536"], table["k69999"]] # => [70000, [65536, :v65536], [69999, :v69999]]
last = eval(Array.new(count) { |i| "text = 'line #{i}'" }.join("\n") + "\n'end'.freeze")
last # => "end"
kind = eval("text = 'w3'\nlist = [#{Array.new(count) { |i| "'z#{i}'" }.join(", ")}]\ncase text when 'w2' then 2 when 'w3' then 3 end")
kind # => 3
RubyVM::InstructionSequence.compile("[#{Array.new(66_000) { |i| "'d#{i}'" }.join(", ")}]").disasm.include?("d65999") # => true
