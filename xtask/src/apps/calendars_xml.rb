apps_require "icalendar", "recursive-open-struct", "builder", "gyoku", "nori"

c = Icalendar::Calendar.new
c.event do |e|
  e.uid = "u"
  e.dtstamp = DateTime.new(2024)
  e.dtstart = Icalendar::Values::Date.new("20240101")
  e.dtend = DateTime.new(2024, 1, 2)
  e.summary = "x, y; z" * 20
  e.rrule = "FREQ=DAILY;COUNT=3"
end
puts c.to_ical
p Icalendar::Calendar.parse(c.to_ical).first.events.first.rrule.first.count
o = RecursiveOpenStruct.new({ a: { b: [{ c: 1 }] } }, recurse_over_arrays: true); p o.a.b.first.c, o.to_h
x = Builder::XmlMarkup.new(indent: 2); x.instruct!; x.r(a: 1) { x.b "<t>"; x.comment! "c"; x.cdata! "d" }
puts x.target!
puts Gyoku.xml({ a_b: { c: [1, 2], :@x => 1, d!: "<raw>" }, order!: [:a_b] })
p Nori.new(parser: :rexml).parse("<a><b type='integer'>1</b><c>2024-01-01</c><c>x</c></a>")
