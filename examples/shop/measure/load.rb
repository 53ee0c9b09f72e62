# The load that wrk makes on the shop, and what the servers need for it. Part of Shop, which starts the servers.
class Shop
  module Load
    # A page or an order, and how many clients of the mixed load ask for it again and again.
    MIX = {
      "/products/1.json" => 6, "/products" => 3, "/products/1" => 2, "/session" => 2, "/about" => 1,
      "POST /orders.json" => 2,
    }.freeze
    SHORT = "/products/1.json".freeze
    LUA = <<~'LUA'.freeze
      done = function(summary, latency, requests)
        local wrong = summary.errors
        io.write(string.format('RESULT {"requests_s": %f, "p50_ms": %f, "p99_ms": %f, "p999_ms": %f, ' ..
          '"max_ms": %f, "requests": %d, "failed": %d, ' ..
          '"failures": {"connect": %d, "read": %d, "write": %d, "status": %d, "timeout": %d}}\n',
          summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
          latency:percentile(99.9) / 1e3, latency.max / 1e3, summary.requests,
          wrong.connect + wrong.read + wrong.write + wrong.status + wrong.timeout,
          wrong.connect, wrong.read, wrong.write, wrong.status, wrong.timeout))
      end
    LUA

    # { requests_s:, p50_ms:, p99_ms:, p999_ms:, max_ms:, requests:, failed: } of so many clients that ask for one page
    # without a pause.
    def wrk(page, clients, seconds) = finish_and_tell(start_wrk(page, clients, seconds))

    # The same for each page of the mixed load, all at once.
    def mix(seconds)
      MIX.map { |page, clients| [page, start_wrk(page, clients, seconds)] }
        .to_h { |page, run| [page, finish_and_tell(run)] }
    end

    # Yields while so many other clients load a page.
    def beside(page, clients, seconds)
      return yield if clients.zero?
      other = spawn("wrk", "-t1", "-c#{clients}", "-d#{seconds + 2}", "--timeout", "60", url(page), out: IO::NULL)
      sleep 1
      yield
    ensure
      Process.wait(other) if other
    end

    # Resident memory of a server in MB, its workers' included.
    def memory(name) = family(name).sum { |pid| File.read("/proc/#{pid}/status")[/VmRSS:\s+(\d+)/, 1].to_i } / 1024

    # Processor time of a server in seconds, its workers' included.
    def cpu(name)
      family(name).sum { |pid| File.read("/proc/#{pid}/stat").rpartition(")")[2].split[11, 2].sum(&:to_i) }.fdiv(100)
    end

    private

    def family(name) = [@pids.fetch(name), *workers(name)]

    # A child is listed with the native thread that made it.
    def workers(name)
      Dir["/proc/#{@pids.fetch(name)}/task/*/children"].flat_map { |file| File.read(file).split.map(&:to_i) }.sort
    end

    def url(page) = "http://127.0.0.1:#{Shop::PORT}#{page.delete_prefix("POST ")}"

    def start_wrk(page, clients, seconds)
      lua = File.join(@dir, "#{page.tr("^a-z", "_")}.lua")
      order = page.start_with?("POST ") ? <<~'LUA' : ""
        wrk.method, wrk.headers["Content-Type"] = "POST", "application/json"
        wrk.body = '{"order": {"product_id": 1, "quantity": 2}}'
      LUA
      File.write(lua, order + LUA)
      IO.popen(["wrk", "-t1", "-c#{clients}", "-d#{seconds}", "--timeout", "60", "-s", lua, url(page)])
    end

    def finish_wrk(run)
      said = run.read
      run.close
      JSON.parse(said[/RESULT (.*)/, 1] || raise("wrk: #{said}"), symbolize_names: true)
    end

    # Where no request should fail: if some do, how they failed and what the web server said last is a warning.
    def finish_and_tell(run)
      row = finish_wrk(run)
      warn "requests failed: #{row[:failures]}", File.readlines("#{@dir}/puma.log").last(40) if row[:failed].positive?
      row
    end
  end
end
