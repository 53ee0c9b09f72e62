# A bank whose transfer is not atomic: two threads may both see money that is there once. Ten thousand runs may pass;
# under fixed schedules the race is found, and replayed, at will:
#
#   rubellite explore examples/find_a_race.rb
#   rubellite --schedule=SEED,SWITCHES examples/find_a_race.rb
class Account
  attr_reader :balance

  def initialize(balance) = @balance = balance
  def covers?(amount) = @balance >= amount
  def change(amount) = @balance += amount

  # Looks, then takes: another thread may have taken in between.
  def withdraw(amount)
    return false unless covers?(amount)
    change(-amount)
    true
  end
end

account = Account.new(100)
customers = Array.new(3) { Thread.new { account.withdraw(60) } }
served = customers.count(&:value)
abort "#{served} customers were given 60 of 100, #{account.balance} is left" if account.balance.negative?
puts "fine: #{account.balance} is left"
