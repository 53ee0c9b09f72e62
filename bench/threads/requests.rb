# What THREADS threads cost that take turns at the work of a web request: JSON, hashes and strings by the thousand, then
# a wait of 1 ms. Processor time of all of it, and the memory that the process has at the end.
#   THREADS=16 ROUNDS=4000 rubellite bench/threads/requests.rb

require "json"

THREADS = ENV.fetch("THREADS", 16).to_i
ROUNDS = ENV.fetch("ROUNDS", 4000).to_i

rows = (0...60).map do |i|
  { "id" => i, "name" => "name #{i}" * (i % 5 + 1), "tags" => %w[a b c d] * (i % 4), "at" => i * 1.5 }
end
DOCUMENT = JSON.generate(rows)

def answer(number)
  rows = JSON.parse(DOCUMENT).map do |row|
    row.transform_keys(&:to_sym)
       .merge(extra: "x" * (number % 200), inner: { numbers: [1] * (number % 30), name: row["name"].upcase })
  end
  page = +""
  rows.each { |row| page << "<li>" << row[:name].gsub("n", "m") << row[:inner][:name] << "</li>" }
  groups = rows.sort_by { |row| row[:name] }.group_by { |row| row[:tags].size }
  cache = {}
  200.times { |key| cache["key#{key}"] = key.to_s * (key % 9) }
  page.size + groups.size + cache.size
end

threads = THREADS.times.map do |thread|
  Thread.new do
    (ROUNDS / THREADS).times do |round|
      answer(thread + round)
      sleep 0.001
    end
  end
end
threads.each(&:join)

seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
kilobytes = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
puts "requests_#{THREADS}_threads\t#{(seconds / ROUNDS * 1e6).round}\tus of processor time a request"
puts "requests_#{THREADS}_threads_memory\t#{kilobytes / 1024}\tMB"
