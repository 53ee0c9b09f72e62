# A ticket office with three mistakes. Its output shows that something is wrong, and not what; these name the lines:
#
#   rubellite --lock-report examples/three_mistakes.rb   # answers come late: the line that keeps all threads waiting
#   rubellite top PID                                    # bob and cy sell nothing: whose turn it is, where, who waits
#   rubellite races examples/three_mistakes.rb           # the sums differ each time: two lines that nothing orders
#
# SECONDS in the environment says how long it is open. docs/three-mistakes.md shows what these commands say.
PRICES = Array.new(1_500_000) { |seat| [seat, 20 + seat % 7] }.to_h

class Office
  attr_reader :sold

  def initialize(seconds)
    @closes = clock + seconds
    @requests = Queue.new
    @turn = Mutex.new
    @sold = Hash.new(0)
    @income = 0
  end

  # The income of all clerks.
  def income = @income

  # A customer asks for a seat every few milliseconds.
  def ask
    seat = 0
    @requests << seat += 1 until closed?(0.004)
  end

  # The first mistake: a copy of all prices is made in one piece, and no thread can run meanwhile.
  def print_prices
    until closed?(0.02)
      copy = PRICES.dup
      copy.size
    end
  end

  # The second: who has the turn keeps it for as long as anybody asks. The others wait for it, and sell nothing.
  def sell(clerk)
    until closed?
      @turn.synchronize do
        until closed?
          seat = @requests.pop(timeout: 0.1) or next
          @sold[clerk] += 1
          account(PRICES[seat])
        end
      end
    end
  end

  # The third: the accountant adds to the sum that the clerks add to, and not in their turn.
  def pay_rent
    account(-1) until closed?(0.003)
  end

  def account(amount)
    @income += amount
  end

  # Closed, after a while?
  def closed?(seconds = 0)
    sleep(seconds) if seconds.positive?
    clock > @closes
  end

  private

  def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

office = Office.new(ENV.fetch("SECONDS", "2").to_f)
jobs = { "customers" => :ask, "prices" => :print_prices, "accountant" => :pay_rent }
threads = jobs.map { |name, job| Thread.new { office.public_send(job) }.tap { |thread| thread.name = name } }
threads += %w[ann bob cy].map { |clerk| Thread.new { office.sell(clerk) }.tap { |thread| thread.name = clerk } }
puts "process #{Process.pid} is open"
$stdout.flush
threads.each(&:join)
puts "sold: #{office.sold}, income: #{office.income}"
