# gems: tzinfo
require "tzinfo"
zone = TZInfo::Timezone.get("Europe/Berlin")
puts zone.utc_to_local(Time.utc(2024, 7, 1, 12)), zone.local_to_utc(Time.utc(2024, 1, 1, 12))
puts zone.period_for_utc(Time.utc(2024, 3, 31, 1)).abbreviation,
     zone.period_for_utc(Time.utc(2024, 3, 31, 0, 59, 59)).utc_total_offset
begin
  zone.local_to_utc(Time.utc(2024, 10, 27, 2, 30))
rescue TZInfo::AmbiguousTime => e
  puts e.message
end
begin
  zone.local_to_utc(Time.utc(2024, 3, 31, 2, 30))
rescue TZInfo::PeriodNotFound => e
  puts e.class
end
puts zone.local_to_utc(Time.utc(2024, 10, 27, 2, 30), true)
begin
  TZInfo::Timezone.get("Nowhere/Land")
rescue TZInfo::InvalidTimezoneIdentifier => e
  puts e.message
end
puts TZInfo::Country.get("NZ").zone_identifiers.inspect, TZInfo::Timezone.get("Asia/Kolkata").utc_offset / 60
puts zone.transitions_up_to(Time.utc(2025), Time.utc(2023)).map { |t| t.at.to_time.utc.to_s }
puts TZInfo::Timezone.get("America/New_York").local_time(2024, 11, 3, 12).utc_offset, zone.friendly_identifier,
     zone.to_s, TZInfo::Timezone.all_identifiers.size > 400
# prints: 2024-07-01 14:00:00 +0200
# prints: 2024-01-01 11:00:00 UTC
# prints: CEST
# prints: 3600
# prints: 2024-10-27 02:30:00 is an ambiguous local time.
# prints: TZInfo::PeriodNotFound
# prints: 2024-10-27 00:30:00 UTC
# prints: Invalid identifier: Nowhere/Land
# prints: ["Pacific/Auckland", "Pacific/Chatham"]
# prints: 330
# prints: 2023-03-26 01:00:00 UTC
# prints: 2023-10-29 01:00:00 UTC
# prints: 2024-03-31 01:00:00 UTC
# prints: 2024-10-27 01:00:00 UTC
# prints: -18000
# prints: Europe - Berlin
# prints: Europe - Berlin
# prints: true
