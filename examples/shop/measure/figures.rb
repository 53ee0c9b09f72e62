# What the commands `measure`, `jobs` and `figures` of bin/shop tell.
require_relative "load"

class Shop
  module Figures
    include Load

    def measure(seconds)
      2.times { wrk(SHORT, 4, 3) } # Code gets warm.
      rows = { "alone" => wrk(SHORT, 1, seconds) }
      [["a report", "/report", 1], ["4 reports", "/report", 4],
       ["an export", "/export", 1]].each do |name, page, clients|
        rows["beside #{name}"] = beside(page, clients, seconds) { wrk(SHORT, 1, seconds) }
      end
      rows["16 clients"] = wrk(SHORT, 16, seconds)
      failed = rows.sum { |_, row| row[:failed] }
      raise "#{failed} requests failed" if failed > 0
      puts RUBY_DESCRIPTION, "%-18s %10s %9s %9s %9s" % ["short requests", "requests/s", "p50 ms", "p99 ms", "max ms"]
      rows.each do |name, row|
        puts "%-18s %10.1f %9.2f %9.2f %9.2f" % [name, *row.values_at(:requests_s, :p50_ms, :p99_ms, :max_ms)]
      end
      puts "memory of Puma: #{memory(:puma)} MB"
    end

    # Jobs that wait 20 ms each and write to the database.
    def jobs(seconds)
      puts RUBY_DESCRIPTION, "%-22s %10s" % ["#{Shop::JOBS} threads of Sidekiq", "jobs/s"]
      job_rate(3, 0) # Code gets warm.
      [0, 2, 4].each { |computing| puts "%-22s %10.1f" % ["beside #{computing} reports", job_rate(seconds, computing)] }
      puts "memory of Sidekiq: #{memory(:sidekiq)} MB"
    end

    # The mixed load from the first request on and once the code is warm; then short requests alone and beside a report.
    def web_figures(seconds)
      cold = mix(seconds)
      mix(3 * seconds)
      before = cpu(:puma)
      warm = mix(seconds)
      cpu = cpu(:puma) - before
      alone = wrk(SHORT, 1, seconds)
      { start_s: @start_s, cold_requests_s: total(cold, :requests_s), requests_s: total(warm, :requests_s),
        cpu_ms: cpu * 1000 / [total(warm, :requests), 1].max, memory_mb: memory(:puma), pages: warm, alone: alone,
        beside: beside("/report", 1, seconds) { wrk(SHORT, 1, seconds) }, report: wrk("/report", 1, [seconds, 3].min),
        memory_end_mb: memory(:puma) }
    end

    def job_figures(seconds)
      job_rate(3, 0) # Code gets warm.
      before = cpu(:sidekiq)
      alone = job_rate(seconds, 0)
      cpu = cpu(:sidekiq) - before
      { alone_s: alone, beside_s: job_rate(seconds, 2), cpu_ms: cpu * 1000 / (alone * (seconds + 1)),
        memory_mb: memory(:sidekiq) }
    end

    private

    def total(pages, key) = pages.sum { |_, row| row[key] }

    # More jobs than can be done are given, a second later it is counted for `seconds` how many get done.
    def job_rate(seconds, computing)
      code = <<~RUBY
        require "sidekiq/api"
        computing, seconds = #{computing}, #{seconds}
        product = Product.first
        now = Time.now
        # One thread does 50 a second at most.
        rows = Array.new(55 * #{Shop::JOBS} * (seconds + 2)) do
          { product_id: product.id, quantity: 1, created_at: now, updated_at: now }
        end
        first = Order.maximum(:id).to_i
        Order.insert_all!(rows)
        computing.times { ReportJob.perform_later(Time.now.to_f + seconds + 3) }
        ActiveJob.perform_all_later(Order.where("id > ?", first).map { |order| PackOrderJob.new(order) })
        done = -> { Order.where("id > ?", first).packed.count }
        sleep 1
        before, begun = done.call, Process.clock_gettime(Process::CLOCK_MONOTONIC)
        sleep seconds
        after, ended = done.call, Process.clock_gettime(Process::CLOCK_MONOTONIC)
        abort "all jobs are done" if after == rows.size
        Sidekiq::Queue.all.each(&:clear)
        sleep 4 if computing > 0
        puts "RESULT \#{(after - before) / (ended - begun)}"
      RUBY
      said = IO.popen(@env, [RbConfig.ruby, "-r./config/environment", "-e", code], chdir: Shop::ROOT, &:read)
      Float(said[/RESULT (.*)/, 1] || raise("no rate of jobs: #{said}"))
    end
  end
end
