require "monitor"
m = Monitor.new
m.synchronize { m.synchronize { :reentered } } # => :reentered
m.try_enter # => true
m.mon_owned? # => true
m.exit # => nil
m.exit # raises ThreadError: current fiber not owner
class Buffer
  include MonitorMixin
  def initialize
    super
    @items = []
    @filled = new_cond
  end
  def put(x) = synchronize { @items << x; @filled.signal }
  def take = synchronize { @filled.wait_while { @items.empty? }; @items.shift }
end
b = Buffer.new
t = Thread.new { b.take }
Thread.pass until t.stop?
b.put(5)
t.value # => 5
Thread.new { m.synchronize { m.mon_locked? } }.value # => true
m.mon_locked? # => false
