# Data, modules, exceptions and a mutex: money moves between accounts on several threads and none is lost.
Transfer = Data.define(:from, :to, :amount)

class InsufficientFunds < StandardError
  def initialize(name, missing)
    super("#{name} lacks #{missing}")
  end
end

class Bank
  include Enumerable

  def initialize(balances)
    @balances = balances
    @lock = Mutex.new
  end

  def each(&block) = @balances.each(&block)

  def total = sum { |_, balance| balance }

  def move(transfer)
    transfer => { from:, to:, amount: }
    @lock.synchronize do
      missing = amount - @balances.fetch(from)
      raise InsufficientFunds.new(from, missing) if missing > 0
      @balances[from] -= amount
      @balances[to] += amount
    end
  end
end

bank = Bank.new({ "ann" => 100, "bob" => 50, "cy" => 0 })
names = bank.map(&:first)
refused = Array.new(3) do |offset|
  Thread.new do
    200.times.count do |i|
      bank.move(Transfer.new(from: names[(i + offset) % 3], to: names[(i * 7 + 1) % 3], amount: i % 40))
      false
    rescue InsufficientFunds
      true
    end
  end
end
refused.each(&:join)
puts "total: #{bank.total}"

begin
  bank.move(Transfer.new("cy", "ann", 1000))
rescue InsufficientFunds => error
  puts error.class
end
