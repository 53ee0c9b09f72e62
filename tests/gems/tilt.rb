# gems: tilt
require "tilt"
require "tilt/erb"
require "tilt/string"
template = Tilt::ERBTemplate.new("t.erb", 1, trim: "-") do
  "<% 2.times do |i| -%>\n<%= i %> <%= name %> <%= yield %>\n<% end -%>"
end
puts template.render(nil, name: "n") { "inner" }
class Scope
  def name = "scope"
end
puts template.render(Scope.new) { "y" }
puts Tilt::StringTemplate.new { 'a #{b} #{1 + 1}' }.render(nil, b: "B")
puts Tilt["x.erb"].to_s, Tilt.registered?("erb"), Tilt["x.unknown"].inspect
begin
  Tilt::ERBTemplate.new("bad.erb", 7) { "\n<%= raise 'oops' %>" }.render
rescue RuntimeError => e
  puts e.message, e.backtrace.first[/\Abad\.erb:\d+/]
end
cache = Tilt::Cache.new
puts cache.fetch("k") { "made" }, cache.fetch("k") { "again" }
# prints: 0 n inner
# prints: 1 n inner
# prints: 0 scope y
# prints: 1 scope y
# prints: a B 2
# prints: Tilt::ERBTemplate
# prints: true
# prints: nil
# prints: oops
# prints: bad.erb:8
# prints: made
# prints: made
