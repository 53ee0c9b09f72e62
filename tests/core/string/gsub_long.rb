# What a replacement by hash or block costs does not depend on the length of the text around it.

# The text is shorter where every allocation collects.
text = "some words in a line, again and again\n" * (ENV["RUBELLITE_STRESS"] == "gc" ? 200 : 20_000)
text.gsub(/[aeo]/, "a" => "4", "e" => "3", "o" => "0").hash == text.tr("aeo", "430").hash # => true
text.gsub(/[aeo]/) { |c| c.tr("aeo", "430") }.hash == text.tr("aeo", "430").hash # => true
text.dup.then { |t| t.gsub(/x|a/) { t << "b"; "c" } } # raises RuntimeError: string modified
