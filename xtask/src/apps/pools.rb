apps_require "connection_pool", "retriable", "docile", "memoist"

pool = ConnectionPool.new(size: 2, timeout: 0.1) { Object.new }
p 4.times.map { Thread.new { pool.with { |o| sleep 0.01; o.object_id } } }.map(&:value).uniq.size
begin
  pool.with do
    Thread.new { pool.with { Thread.new { pool.with { } }.tap { |t| t.report_on_exception = false }.join } }
      .tap { |t| t.report_on_exception = false }.join
  end
rescue => e
  p e.class, e.message[0, 30]
end
i = 0; p Retriable.retriable(tries: 3, base_interval: 0.01) { i += 1; raise "x" if i < 3; i }
class B; def initialize = @h = {}
def a(x) = @h[:a] = x
def build = @h; end
z = 5; p Docile.dsl_eval(B.new) { a z }.build
class M; extend Memoist; def x(a) = (@n = (@n || 0) + a); memoize :x; end
m = M.new; p m.x(1), m.x(1), m.x(2), m.x(1, true)
