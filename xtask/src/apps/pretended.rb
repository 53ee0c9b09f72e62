apps_require "timecop", "climate_control"

Timecop.freeze(Time.utc(2020, 2, 29, 1, 2, 3)) do
  p Time.now, Date.today, DateTime.now.to_s, Time.new.to_i
  Timecop.travel(3600) { p (Time.now - Time.utc(2020, 2, 29, 2, 2, 3)).abs < 5 }
  p Time.now, Process.clock_gettime(Process::CLOCK_REALTIME).to_i
end
Timecop.scale(1000) { before = Time.now; sleep 0.01; p Time.now - before > 5 }
p Time.now.year > 2020
ClimateControl.modify(HOME: "/x", NEW: "1") { p ENV["HOME"], ENV["NEW"], `echo $NEW` }
p ENV["NEW"]
