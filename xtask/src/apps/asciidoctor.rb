apps_require "asciidoctor"

text =
  "= Title\nAuthor\n:toc:\n\n== One\n\nText with *bold*, _italic_ and `code`.\n\n. a\n. b\n\n|===\n|A |B\n\n|1 |2\n" \
  "|===\n\n[source,ruby]\n----\nputs 1\n----\n" + (1..20).map { |n|
    "\n== Section #{n}\n\n#{"Lorem ipsum dolor. " * 30}\n"
  }.join
puts Asciidoctor.convert(text, standalone: false)
puts Asciidoctor.convert(text, backend: "docbook5").bytesize,
     Asciidoctor.convert(text, backend: "manpage", doctype: "manpage").bytesize
10.times { Asciidoctor.convert(text) }
