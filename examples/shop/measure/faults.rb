# What the command `faults` of bin/shop does: under load a server is killed or restarted,
# and the requests are counted that failed.
require_relative "load"

class Shop
  module Faults
    CLIENTS = 8
    # Seconds of load before the fault.
    BEFORE = 2

    # [what happened, requests, those of them that failed, seconds from the fault until pages and orders were all right
    # again]
    def faults(seconds)
      [
        under_load("the database is killed and started again", seconds) {
          restart(:postgresql) { start_postgresql_again }
        },
        under_load("redis is killed and started again", seconds, "POST /orders.json") {
          restart(:redis) { start_redis_again }
        },
        under_load("a worker of Puma is killed", seconds) { Process.kill(:KILL, workers(:puma).last) },
        under_load("a phased restart (USR1)", seconds) { Process.kill(:USR1, @pids[:puma]) },
        under_load("a restart (USR2)", seconds) { Process.kill(:USR2, @pids[:puma]) },
      ]
    end

    def tell_faults(rows)
      puts RUBY_DESCRIPTION, "%-42s %9s %7s %10s" % ["under load", "requests", "failed", "right in s"]
      rows.each { |row| puts "%-42s %9d %7d %10.2f" % row }
    end

    private

    def under_load(what, seconds, page = Load::SHORT)
      run = start_wrk(page, CLIENTS, seconds)
      sleep BEFORE
      begun = now
      yield
      wait_for("the shop, after: #{what}") { right? }
      right = now - begun
      row = finish_wrk(run)
      # What has happened goes on for a while behind the first good answer: workers that are replaced one by one.
      sleep 3
      wait_for("the shop, after: #{what}") { right? }
      [what, row[:requests], row[:failed], right]
    end

    def right?
      product = get(Load::SHORT)
      order = post("/orders.json", order: { product_id: 1, quantity: 1 })
      product.is_a?(Net::HTTPOK) && order.is_a?(Net::HTTPCreated)
    end

    def restart(server)
      Process.kill(:KILL, @pids[server])
      Process.wait(@pids[server])
      yield
    end
  end
end
