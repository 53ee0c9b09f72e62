# gems: activesupport
require "active_support"
require "active_support/all"
puts "person".pluralize, "mice".singularize, "user_name".camelize, "UserName".underscore, "hello world".titleize,
     "Foo::BarBaz".demodulize, "post".classify, 3.ordinalize
puts 1.day.inspect, (2.hours + 30.minutes).to_i, Time.utc(2024, 1, 31).next_month, Date.new(2024, 2, 29).next_year,
     3.days.ago(Time.utc(2024, 3, 1)), Time.utc(2024, 5, 15).beginning_of_week
puts [1, 2, 3, 4, 5].in_groups_of(2).inspect, [1, 2, 3].to_sentence, [[1, 2], [3]].sum([]).inspect,
     %w[a b].exclude?("c"), (1..10).each_slice(3).to_a.last.inspect
puts({ a: { b: 1 } }.deep_merge(a: { c: 2 }).to_a.inspect.gsub(/(\w): |:(\w)=>/, '\1\2='),
     { "x" => 1 }.symbolize_keys.keys.inspect, { a: 1, b: nil }.compact_blank.size,
     { a: 1 }.with_indifferent_access["a"])
puts nil.blank?, " ".presence.inspect, "x".present?, nil.try(:x).inspect, 5.try(:+, 1), "  a   b ".squish,
     "long text here".truncate(8), "abc".first(2), "héllo wörld".parameterize
puts 1234567.89.to_s(:delimited), 0.5.to_s(:percentage), 1234.to_s(:human_size), 5.megabytes
puts ActiveSupport::JSON.encode({ "a" => Time.utc(2024), b: [1, nil, "<"] }),
     ActiveSupport::JSON.decode('{"x":[1]}')["x"].inspect
class Base
  class_attribute :setting, default: 1
  mattr_accessor :shared
  include ActiveSupport::Callbacks
  define_callbacks :save
  set_callback(:save, :before) { puts "before" }
  set_callback(:save, :after) { puts "after" }
  def save = run_callbacks(:save) { puts "saving" }
  delegate :size, to: :list, prefix: true
  def list = [1, 2]
end
Sub = Class.new(Base) { self.setting = 2 }
puts Base.setting, Sub.setting, Base.new.list_size
Base.new.save
module Greets
  extend ActiveSupport::Concern
  included { attr_accessor :greeting }
  class_methods { def make = new.tap { |o| o.greeting = "hi" } }
end
puts Class.new { include Greets }.make.greeting
events = []
ActiveSupport::Notifications.subscribe("e") { |name, *, payload| events << [name, payload[:k]] }
ActiveSupport::Notifications.instrument("e", k: 1) { }
puts events.inspect
zone = ActiveSupport::TimeZone["Tokyo"]
puts zone.local(2024, 1, 1).utc, Time.utc(2024).in_time_zone("Eastern Time (US & Canada)"),
     zone.parse("2024-05-05 10:00")
store = ActiveSupport::Cache::MemoryStore.new
puts store.fetch("k") { 5 }, store.fetch("k") { 6 }, store.read("none").inspect
secret = "k" * 32
encryptor = ActiveSupport::MessageVerifier.new(secret, digest: "SHA256", serializer: JSON)
puts encryptor.verify(encryptor.generate([1, "x"])).inspect, encryptor.valid_message?("bad--1")
puts ActiveSupport::Duration.parse("P1DT2H").to_i, 90.minutes.iso8601,
     ActiveSupport::SafeBuffer.new("<").concat("&").html_safe?
puts ActiveSupport::OrderedOptions.new.tap { |o| o.x = 1 }.x, ActiveSupport::StringInquirer.new("test").test?,
     Rational(1, 3).to_json, BigDecimal("1.50").to_s, ERB::Util.html_escape("<x>")
puts (Date.new(2024, 1, 1)..Date.new(2024, 1, 5)).sum(&:day), [{ a: 1 }, { a: 2 }].pluck(:a).inspect, [1, 2, 3].many?,
     %w[x y].index_with(&:upcase).values.inspect
# prints: people
# prints: mouse
# prints: UserName
# prints: user_name
# prints: Hello World
# prints: BarBaz
# prints: Post
# prints: 3rd
# prints: 1 day
# prints: 9000
# prints: 2024-02-29 00:00:00 UTC
# prints: 2025-02-28
# prints: 2024-02-27 00:00:00 UTC
# prints: 2024-05-13 00:00:00 UTC
# prints: [[1, 2], [3, 4], [5, nil]]
# prints: 1, 2, and 3
# prints: [1, 2, 3]
# prints: true
# prints: [10]
# prints: [[:a, {b=1, c=2}]]
# prints: [:x]
# prints: 1
# prints: 1
# prints: true
# prints: nil
# prints: true
# prints: nil
# prints: 6
# prints: a b
# prints: long ...
# prints: ab
# prints: hello-world
# prints: 1,234,567.89
# prints: 0.500%
# prints: 1.21 KB
# prints: 5242880
# prints: {"a":"2024-01-01T00:00:00.000Z","b":[1,null,"\u003c"]}
# prints: [1]
# prints: 1
# prints: 2
# prints: 2
# prints: before
# prints: saving
# prints: after
# prints: hi
# prints: [["e", 1]]
# prints: 2023-12-31 15:00:00 UTC
# prints: 2023-12-31 19:00:00 -0500
# prints: 2024-05-05 10:00:00 +0900
# prints: 5
# prints: 5
# prints: nil
# prints: [1, "x"]
# prints: false
# prints: 93600
# prints: PT90M
# prints: true
# prints: 1
# prints: true
# prints: "1/3"
# prints: 1.5
# prints: &lt;x&gt;
# prints: 15
# prints: [1, 2]
# prints: true
# prints: ["X", "Y"]
