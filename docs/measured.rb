# Draws docs/measured.svg, the picture in the README, from the tables in docs/measured.md: `ruby docs/measured.rb`.
text = File.read(File.join(__dir__, "measured.md"))
number = ->(words) { words.delete(",")[/[\d.]+/].to_f * (words[/\d\s*k\b/] ? 1000 : 1) }

ratios = text.scan(/([a-z_]+) \| (\d\.\d\d) (?=\|)/).map { |name, ratio| [name, ratio.to_f] }
  .sort_by { |_, ratio| -ratio }
beside = {
  "file reads/s" => /^\| file reads.*$/, "a byte through a pipe and back, per s" => /^\| a byte through.*$/,
  "inflating 1 KB, per s" => /^\| `Zlib.inflate` of 1 KB.*$/,
  "echo server, requests/s" => /^\| echo server.*$/
}.map do |name, row|
  cells = text[row].split("|").map(&:strip)
  [name, *cells[2, 2].map { |cell| number[cell.split(/, /)[1]] }]
end
unless ratios.size == 34 && beside.all? { |row| row.size == 3 && row[1..].all?(&:positive?) }
  abort "docs/measured.md has other tables than this program knows"
end

said = ->(value) { value >= 1000 ? "#{(value / 1000).round} k" : value.round.to_s }
svg = []
write = ->(x, y, words, more = "") { svg << %(<text x="#{x}" y="#{y}" #{more}>#{words}</text>) }

write[0, 18, "Beside one thread that computes", 'class="head"']
beside.each_with_index do |(name, here, there), i|
  y = 36 + i * 58
  write[0, y + 10, name]
  [["Rubellite", here, "here"], ["CRuby 3.4", there, "there"]].each_with_index do |(who, value, kind), j|
    # By orders of magnitude: one is 60 wide.
    width = (Math.log10(value) * 60).round
    svg << %(<rect x="78" y="#{y + 17 + j * 16}" width="#{width}" height="12" class="#{kind}"/>)
    write[0, y + 27 + j * 16, who, 'class="small"']
    write[84 + width, y + 27 + j * 16, said[value], 'class="small"']
  end
end
write[0, 284, "Widths by orders of magnitude.", 'class="small"']

write[490, 18, "User time of 34 programs, CRuby 3.4 / Rubellite, no JIT on either side", 'class="head"']
half = (ratios.size + 1) / 2
ratios.each_with_index do |(name, ratio), i|
  x, y = 490 + i / half * 250, 32 + i % half * 15
  write[x, y + 10, name.tr("_", " "), 'class="small"']
  svg << %(<rect x="#{x + 100}" y="#{y + 1}" width="#{(ratio * 34).round}" height="11" class="here"/>)
  svg << %(<line x1="#{x + 134}" x2="#{x + 134}" y1="#{y - 1}" y2="#{y + 14}"/>)
  write[x + 104 + ratio * 34, y + 10, format("%.2f", ratio), 'class="small"']
end

File.write(File.join(__dir__, "measured.svg"), <<~SVG)
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 1010 300" font-family="sans-serif" font-size="12">
  <style>
  svg { background: #fdfdfd } text { fill: #24292f }
  .head { font-weight: bold; font-size: 13px } .small { font-size: 11px }
  .here { fill: #3b7cc9 } .there { fill: #b8bec6 } line { stroke: #24292f; stroke-dasharray: 2 2 }
  </style>
  #{svg.join("\n")}
  </svg>
SVG
