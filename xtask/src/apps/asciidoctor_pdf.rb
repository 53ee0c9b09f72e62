begin
  apps_require "asciidoctor-pdf"
rescue NameError, ArgumentError, SystemCallError
  # Older versions do not load in a Ruby of today, nor a package that is not in its place.
  exit!(77)
end

File.write("a.adoc",
           "= Title\nAuthor Name\n:toc:\n\n== One\n\nText *bold* _em_ `mono`.\n\n* a\n* b\n** c\n\n[source,ruby]\n" \
           "----\ndef a = 1\n----\n\n|===\n|A |B\n|1 |2\n|===\n\n== Two\n\nNOTE: hello\n" \
           "\n" + "Lorem ipsum dolor sit amet. " * 200 + "\n")
Asciidoctor.convert_file("a.adoc", backend: "pdf", safe: :safe,
                         attributes: { "reproducible" => "", "pdf-page-size" => "A5" })
s = File.binread("a.pdf")
p s.bytesize, s[0, 8]
require "pdf-reader"
PDF::Reader.new("a.pdf").pages.each { |page| puts page.text }
