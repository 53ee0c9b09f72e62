# Backtraces of every depth are whole, those that are kept in the exception itself and those that are not.
def fail_at(depth)
  raise "deep" if depth == 0
  fail_at(depth - 1)
end

def sizes(depths)
  depths.map do |depth|
    fail_at(depth)
  rescue => e
    [e, e.dup, e.exception("again")].map { |one| one.backtrace.grep(/fail_at/).size - depth } <<
      e.backtrace_locations.size - depth
  end
end
sizes(0..12).uniq.size # => 1
sizes([0, 1, 4, 5, 6, 100, 1000]).map { |list| list.first(3) }.uniq # => [[1, 1, 1]]

kept = 20.times.map do |depth|
  fail_at(depth)
rescue => e
  e
end
GC.start
kept.map { |e| e.backtrace.grep(/fail_at/).size } # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
kept.map { |e| e.backtrace_locations.count { |place| place.label.end_with?("fail_at") } } # => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
Thread.new { fail_at(3) rescue $!.backtrace.size }.value # => 5
