apps_require "spreadsheet"

require "date"
b = Spreadsheet::Workbook.new
s = b.create_worksheet(name: "S")
s.row(0).concat(["a", 1, 2.5, Date.new(2024, 1, 1), nil, "ü"])
s.row(0).default_format = Spreadsheet::Format.new(weight: :bold, color: :blue)
io = StringIO.new("".b); b.write(io); p io.string.bytesize
r = Spreadsheet.open(StringIO.new(io.string)); p r.worksheet(0).rows.first.to_a
