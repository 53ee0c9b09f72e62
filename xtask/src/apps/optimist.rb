apps_require "optimist"

o = Optimist.options(%w[--name Bob -n 3 --list a b c]) do
  opt :name, "Name", type: :string
  opt :num, "Num", type: :int, short: "n"
  opt :list, "List", type: :strings
  banner "usage"
end
p o
begin
  Optimist.with_standard_exception_handling(pr = Optimist::Parser.new { opt :x, "X", type: :int, required: true }) do
    pr.parse(%w[--x a])
  end
rescue SystemExit => e
  p e.status
end
begin
  Optimist.options(%w[--help]) { opt :a, "A thing", default: 3; version "1" }
rescue SystemExit => e
  p e.status
end
