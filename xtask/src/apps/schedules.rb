apps_require "fugit", "rufus-scheduler", "chronic", "et-orbi"

require "time"
now = EtOrbi::EoTime.parse("2024-02-28 10:00:00 UTC")
p Fugit.parse("0 0 29 2 *").next_time(now).to_s, Fugit.parse("every day at noon").original, Fugit.parse("1h30m").to_sec,
  Fugit.parse_cron("*/5 8-10 * * mon").brute_frequency.occurrences
p Fugit.parse("2y3M1d").to_plain_s, Fugit::Nat.parse("every weekday at 9:30")&.original, Fugit.parse("nonsense at"),
  Fugit.parse_cron("61 * * * *")
told { Fugit.do_parse("every blue moon") }
Chronic.time_class = Time
base = Time.utc(2024, 1, 31, 12)
["tomorrow at 5pm", "last friday", "3 months from now", "the 4th of july", "noon", "in two weeks", "half past nothing"]
  .each { |text| puts "#{text}: #{Chronic.parse(text, now: base)&.strftime("%F %T")}" }
scheduler = Rufus::Scheduler.new(frequency: 0.02)
seen = Queue.new
scheduler.in("0.05s") { seen << :in }
job = scheduler.every("0.05s", times: 3) { seen << :every }
3.times { seen.pop }
sleep 0.3
p job.class, scheduler.jobs.size, seen.size
told { scheduler.cron("x y") { } }
scheduler.shutdown(:wait)
p scheduler.down?
