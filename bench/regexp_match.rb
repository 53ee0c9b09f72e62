# Matches regular expressions: literals, classes, groups, alternation, look-around, failures.
lines = Array.new(400) do |i|
  "2026-0#{i % 9 + 1}-1#{i % 10} 12:3#{i % 6}:00 host#{i % 7} app[#{i}]: GET /path/#{i}/index.html?q=#{i * 3} " \
  "status=#{200 + i % 5} 0.#{i}s"
end
sum = 0
200.times do
  lines.each do |line|
    sum += $~[3].to_i if line =~ /\A(\d{4})-(\d\d)-(\d\d)/
    sum += 1 if line.match?(/status=20[0-3]/)
    if (found = line.match(/(?<verb>GET|POST) (?<path>[^ ?]+)\??(?<query>\S*)/))
      sum += found[:path].size + found[:query].size
    end
    sum += line.scan(/\d+/).size
    sum += 1 unless line.match?(/(?:foo|bar|baz)+\z/)
    sum += 1 if line[/app\[(\d+)\]/, 1].to_i.even?
    sum += 1 if line.match?(/(?<=host)[3-6]\b(?! x)/i)
  end
end
puts sum
