# gems: rspec-core rspec-expectations rspec-mocks
require "rspec/core"
require "stringio"
RSpec.configure { |c| c.color_mode = :off; c.order = :defined; c.disable_monkey_patching! }
RSpec.describe Array do
  subject(:list) { [1, 2] }
  let(:x) { 5 }
  before { list << 3 }
  it { is_expected.to eq [1, 2, 3] }
  it("raises") { expect { raise ArgumentError, "z" }.to raise_error(ArgumentError, /z/) }
  it("changes") { expect { list << x }.to change { list.size }.by(1) }
  it("doubles") { d = double("d", a: 1); expect(d).to receive(:b).with(2).and_return(3); expect(d.b(2) + d.a).to eq 4 }
  it("stubs") { allow(Time).to receive(:now).and_return(7); expect(Time.now).to be 7 }
  it("fails") { expect(list).to contain_exactly(1, 2) }
  it("composes") do
    expect([1, { a: "xyz" }]).to match([be_an(Integer), a_hash_including(a: a_string_starting_with("x"))])
  end
  pending("p") { raise "x" }
  shared_examples("s") { |n| it("is #{n}") { expect(n).to be_a Integer } }
  include_examples "s", 4
  context("nested", :tag) do
    around { |e| e.run }
    it("predicate") { expect([]).to be_empty }
    it("yields") { expect { |b| [1].each(&b) }.to yield_with_args(1) }
  end
end
class Plain
  RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending, :dump_summary
  def initialize(output) = @output = output
  def example_passed(n) = @output.puts("ok #{n.example.full_description}")
  def example_pending(n) = @output.puts("pending #{n.example.full_description}")
  def example_failed(n) = @output.puts("failed #{n.example.full_description}: #{n.exception.message.strip.lines.first}")
  def dump_summary(n) = @output.puts(n.totals_line)
end
output = StringIO.new
status = RSpec::Core::Runner.run(["-f", "Plain", "-O", "/dev/null"], StringIO.new, output)
puts output.string, status
RSpec::Core::Runner.disable_autorun!
# prints: ok Array is expected to eq [1, 2, 3]
# prints: ok Array raises
# prints: ok Array changes
# prints: ok Array doubles
# prints: ok Array stubs
# prints: failed Array fails: expected collection contained:  [1, 2]
# prints: ok Array composes
# prints: pending Array p
# prints: ok Array is 4
# prints: ok Array nested predicate
# prints: ok Array nested yields
# prints: 11 examples, 1 failure, 1 pending
# prints: 1
