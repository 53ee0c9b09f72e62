apps_require "active_support/all", "i18n", "money", "hashie", "ice_cube", "chronic", "state_machines"

p 3.days.in_hours, "person".pluralize, "ActiveModel::Errors".underscore,
  { a: { b: 1 } }.deep_merge(a: { c: 2 }).to_a.flatten.first, [1, 2, 3, 4].in_groups_of(3)
p Time.utc(2020, 1, 31).next_month, 1_234_567.89.to_s(:delimited), "a b".parameterize
I18n.backend.store_translations(:en, x: { one: "one %{n}", other: "%{count} others" })
I18n.locale = :en
p I18n.t("x", count: 2), I18n.t("x", count: 1, n: 5), I18n.t("none")
p Hashie::Mash.new(a: { b: [1] }).a.b
schedule = IceCube::Schedule.new(Time.utc(2020, 1, 1)) do |s|
  s.add_recurrence_rule(IceCube::Rule.weekly.day(:monday).count(3))
end
puts schedule.all_occurrences.map(&:to_s), schedule.to_s
p Chronic.parse("tomorrow at 5pm", now: Time.utc(2020, 1, 1)), Chronic.parse("3 weeks ago", now: Time.utc(2020, 1, 1))
class Vehicle
  state_machine :state, initial: :parked do
    event(:go) { transition parked: :idling, idling: :driving }
  end
end
vehicle = Vehicle.new
p vehicle.state, vehicle.go, vehicle.state, vehicle.go, vehicle.go, vehicle.state
