# Compiled code of a `case` whose ways are gone one after the other, each long after the ones before: it learns them
# all, and does not leave for each value.
# timeout: 120
PROGRAM = <<~'RUBY'
  source = +"class Machine\n  def initialize = @sum = 0\n"
  40.times { |i| source << "  def step#{i}(x) = @sum += x + #{i}\n" }
  source << "  def run(code)\n    case code\n"
  40.times { |i| source << "    when #{i} then step#{i}(code)\n" }
  source << "    end\n  end\nend\n"
  eval source

  def rounds(machine, count, ways) = count.times { |i| machine.run(i % ways) }

  machine = Machine.new
  40.times { |n| rounds(machine, 4000, n + 1) }
  before = Rubellite::JIT.stats
  sum = rounds(machine, 40_000, 40).then { machine.instance_variable_get(:@sum) }
  after = Rubellite::JIT.stats
  p sum, after[:retired], after[:exits] - before[:exits] < 10_000
RUBY

output = IO.popen({ "RUBELLITE_JIT" => "threshold=9,here" }, [RbConfig.ruby, "-e", PROGRAM], err: [:child, :out],
                  &:read)
output # => "4677044\n0\ntrue\n"
