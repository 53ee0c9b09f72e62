# A program with a fault: a report copies all rows at once, while other threads answer requests.
ROWS = Array.new(400_000) { |i| [i, "row #{i}"] }.to_h

def monthly_report
  saved = ROWS.dup
  saved.size
  sleep 0.02
end

report = Thread.new { 30.times { monthly_report } }
report.name = "monthly report"
workers = Array.new(6) do |i|
  worker = Thread.new { (sleep 0.002 * (i + 1); 300.times { |k| k.to_s }) while report.alive? }
  worker.name = "worker #{i}"
  worker
end
[report, *workers].each(&:join)
