apps_require "rspec/core", "rspec/expectations", "rspec/mocks"
require "stringio"

File.write("a_spec.rb", <<~'RUBY')
  RSpec.describe Array do
    subject(:list) { [3, 1, 2] }
    let(:double_of) { double("thing", call: 5) }
    it("sorts") { expect(list.sort).to eq [1, 2, 3] }
    it("fails") { expect(list).to include(9).and have_attributes(size: 2) }
    it("raises") { expect { list.fetch(9) }.to raise_error(IndexError, /index 9/) }
    it("mocks") { expect(double_of.call).to eq 5 }
    it("compares") { expect({ a: 1, b: [1, 2] }).to match(a: Integer, b: [1, 3]) }
    xit("later") { }
    context "shared" do
      before { list << 4 }
      it { is_expected.to contain_exactly(1, 2, 3, 4) }
    end
  end
RUBY
out = StringIO.new
RSpec::Core::Runner.run(%w[--no-color --seed 1 --order defined a_spec.rb], $stderr, out)
puts out.string.gsub(/Finished in.*/, "").gsub(/^.*Randomized.*/, "").gsub(/^ *# .*\n/, "")
  .gsub(/:(\w+) ?=> ?/, "\\1: ")
