apps_require "zip", "pdf-reader", "prawn", "prawn/table"

buffer = Zip::OutputStream.write_buffer do |zip|
  zip.put_next_entry("a/b.txt")
  zip.write("text " * 100)
  zip.put_next_entry("c.bin", nil, nil, Zip::Entry::STORED)
  zip.write((0..255).to_a.pack("C*"))
end
Zip::InputStream.open(StringIO.new(buffer.string)) do |zip|
  while (entry = zip.get_next_entry)
    p [entry.name, entry.size, entry.crc, zip.read.size]
  end
end
Zip::File.open("x.zip", create: true) { |zip| zip.get_output_stream("n") { |out| out << "nested" } }
Zip::File.open("x.zip") { |zip| p zip.entries.map(&:name), zip.read("n") }
pdf = Prawn::Document.new(info: { Title: "T" })
pdf.text "Hello <b>world</b>", inline_format: true
pdf.table([%w[a b], ["1", "two words"]])
pdf.start_new_page
pdf.text "second", size: 30
reader = PDF::Reader.new(StringIO.new(pdf.render))
p reader.page_count, reader.info, reader.pages.map { |page| page.text.split }, reader.pages.first.fonts.size
