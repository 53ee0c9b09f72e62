apps_require "drb", "rinda/tuplespace"

require "rinda/rinda"
class Shop
  include DRb::DRbUndumped
  def add(a, b) = a + b
  def each_upto(n) = n.times { |i| yield i }
  def fail = raise(KeyError, "no such thing")
  def itself_there = self
end
reader, writer = IO.pipe
pid = fork do
  reader.close
  DRb.start_service("druby://127.0.0.1:0", { shop: Shop.new, space: Rinda::TupleSpace.new })
  writer.puts DRb.uri
  writer.close
  DRb.thread.join
end
writer.close
uri = reader.gets.chomp
DRb.start_service("druby://127.0.0.1:0")
front = DRbObject.new_with_uri(uri)
shop = front[:shop]
p shop.class, shop.add(1, 2), shop.add("a", "b"), shop.itself_there == shop
shop.each_upto(3) { |i| p i }
told { shop.fail }
told { shop.missing }
told { shop.add(1, nil) }
space = Rinda::TupleSpaceProxy.new(front[:space])
taker = Thread.new { space.take([:answer, nil]) }
5.times { |n| space.write([:job, n, "x" * n]) }
p space.read([:job, 3, nil]), space.read_all([:job, nil, String]).size, space.take([:job, 0..1, nil])[1] < 2
space.write([:answer, 42])
p taker.value
told { space.take([:none], 0) }
p (1..200).sum { |n| shop.add(n, 1) }
Process.kill(:TERM, pid)
Process.wait(pid)
begin
  shop.add(1, 1)
rescue DRb::DRbConnError => error
  puts error.message.gsub(/\d{4,}/, "PORT")
end
