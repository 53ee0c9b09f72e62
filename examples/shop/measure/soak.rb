# What the command `soak` of bin/shop does: a light load for a long time, and the servers' memory.
require_relative "load"

class Shop
  module Soak
    CLIENTS = 4
    # Seconds that a client waits between two requests.
    PAUSE = 0.03

    # Prints a line for each twentieth of the time; gives the rows [seconds, requests, memory of Puma,
    # memory of Sidekiq in MB].
    def soak(seconds)
      puts RUBY_DESCRIPTION, "%9s %9s %7s %8s %11s" % %w[seconds requests failed Puma/MB Sidekiq/MB]
      counts, failed = Array.new(CLIENTS, 0), Array.new(CLIENTS, 0)
      ends = now + seconds
      clients = Array.new(CLIENTS) do |i|
        Thread.new { ask_until(ends) { |good| good ? counts[i] += 1 : failed[i] += 1 } }
      end
      rows = Array.new(20) do |i|
        sleep [ends - seconds + seconds * (i + 1) / 20.0 - now, 0].max
        row = [(seconds * (i + 1) / 20.0).round, counts.sum, failed.sum, memory(:puma), memory(:sidekiq)]
        puts "%9d %9d %7d %8d %11d" % row
        $stdout.flush
        row
      end
      clients.each(&:join)
      rows
    end

    private

    def ask_until(ends)
      Net::HTTP.start("127.0.0.1", Shop::PORT, read_timeout: Shop::SECONDS_MAX) do |http|
        Load::MIX.keys.cycle do |page|
          break if now > ends
          path = page.delete_prefix("POST ")
          answer =
            if path == page
              http.get(path)
            else
              http.post(path, '{"order": {"product_id": 1, "quantity": 2}}', "Content-Type" => "application/json")
            end
          yield answer.is_a?(Net::HTTPSuccess)
          sleep PAUSE
        end
      end
    end
  end
end
