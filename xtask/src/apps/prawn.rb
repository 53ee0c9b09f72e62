apps_require "prawn"

document = Prawn::Document.new(info: { CreationDate: Time.at(0).utc, Producer: "p" }) do
  text "Hello", size: 30, style: :bold
  30.times { |n| text "Line #{n} " * 20; move_down 4 }
  stroke_color "ff0000"
  stroke { line [0, 0], [100, 100]; circle [200, 200], 50; rectangle [10, 300], 100, 50 }
  start_new_page
  column_box([0, cursor], columns: 2, width: bounds.width) { text "column " * 400 }
  outline.section("One", destination: 1)
end
pdf = document.render
p pdf.bytesize, pdf.scan("/Type /Page\n").size, pdf.sum
