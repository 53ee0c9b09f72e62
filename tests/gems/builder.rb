# gems: builder
require "builder"
xml = Builder::XmlMarkup.new(indent: 2)
xml.instruct!
xml.comment! "list"
xml.people(kind: "all & some") do
  [["Ann", 30], ["B<b", 40]].each do |name, age|
    xml.person(id: age) { |p| p.name(name); p.age age; p.tag!("x:y", "z") }
  end
  xml.cdata!("<raw>")
  xml << "<direct/>"
  xml.empty
  xml.text! "é & ü"
end
xml.declare! :DOCTYPE, :html, :PUBLIC, "-//W3C//DTD XHTML 1.0 Strict//EN"
puts xml.target!
events = Builder::XmlEvents.new(target: Class.new(BasicObject) {
  def start_tag(n, a) = ::Kernel.puts("<#{n}")
  def end_tag(n) = ::Kernel.puts("/#{n}")
  def text(t) = ::Kernel.puts("t #{t}")
}.new)
events.a { events.b("c") }
# prints: <?xml version="1.0" encoding="UTF-8"?>
# prints: <!-- list -->
# prints: <people kind="all &amp; some">
# prints:   <person id="30">
# prints:     <name>Ann</name>
# prints:     <age>30</age>
# prints:     <x:y>z</x:y>
# prints:   </person>
# prints:   <person id="40">
# prints:     <name>B&lt;b</name>
# prints:     <age>40</age>
# prints:     <x:y>z</x:y>
# prints:   </person>
# prints:   <![CDATA[<raw>]]>
# prints: <direct/>  <empty/>
# prints: é &amp; ü</people>
# prints: <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">
# prints: <a
# prints: <b
# prints: t c
# prints: /b
# prints: /a
