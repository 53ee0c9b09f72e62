events = []
def traced(x) = x + 1
tp = TracePoint.new(:call, :return) { |t| events << [t.event, t.method_id] }
tp.enable { traced(1) }
events # => [[:call, :traced], [:return, :traced]]
raised = []
TracePoint.new(:raise) { |t| raised << t.raised_exception.message }.enable { (raise "a" rescue 0) }
raised # => ["a"]
tp.enabled? # => false

# Frames stand at the statement whose event is reported, also where it is nothing but a variable,
# or where a parameter is kept for a block first.
def plain(x)
  x
end
def kept(n)
  2.times { n += 1 }
end
base = __LINE__ - 6
stands = []
tp = TracePoint.new(:call, :line) do |t|
  stands << [t.event, t.lineno - base, caller_locations(1, 1)[0].lineno - base] if %i[plain kept].include?(t.method_id)
end
tp.enable { plain(1); kept(1) }
stands # => [[:call, 0, 1], [:line, 1, 1], [:call, 3, 4], [:line, 4, 4], [:line, 4, 4], [:line, 4, 4]]

# Targets: a method and an InstructionSequence.
lines = []
code = RubyVM::InstructionSequence.of(method(:plain))
tp = TracePoint.new(:line) { |t| lines << t.lineno - base }
tp.enable(target: code) { plain(1); kept(1) }
lines # => [1]
lines.clear
tp.enable(target: code, target_line: base) rescue $!.message # => "can not enable any hooks"
tp.enable(target: code, target_line: base + 1) { plain(1) }
lines # => [1]

# Where code has which events.
source = <<~CODE
  class Foo
    def self.a
      return 1 if b
      [1].each do |x|
        x
      end
    end
    def empty; end
  end
  Foo
CODE
all = []
walk = lambda do |iseq|
  all << [iseq.label, iseq.trace_points]
  iseq.each_child(&walk)
end
walk.call(RubyVM::InstructionSequence.compile(source))
all.shift # => ["<compiled>", [[1, :line], [10, :line]]]
all.shift # => ["<class:Foo>", [[1, :class], [2, :line], [8, :line], [9, :end]]]
all.shift # => ["a", [[2, :call], [3, :line], [3, :return], [4, :line], [7, :return]]]
all.shift # => ["block in a", [[4, :b_call], [5, :line], [6, :b_return]]]
all.shift # => ["empty", [[8, :call], [8, :return]]]
head = RubyVM::InstructionSequence.compile("def a\n  1\nend").to_a
head.values_at(0, 5, 6, 8, 9) # => ["YARVInstructionSequence/SimpleDataFormat", "<compiled>", "<compiled>", 1, :top]
head[13].grep_v(Array) # => [1, :RUBY_EVENT_LINE]

# A file's own code begins before its first line.
require "tmpdir"
loaded = []
Dir.mktmpdir do |dir|
  File.write("#{dir}/one.rb", "def one\nend\n")
  TracePoint.new(:script_compiled) { |t| loaded << t.instruction_sequence }.enable { load "#{dir}/one.rb" }
end
[loaded[0].label, loaded[0].first_lineno, loaded[0].to_a[9]] # => ["<top (required)>", 0, :top]
[loaded[0].inspect[/@.*/], loaded.size] == ["@#{loaded[0].path}:0>", 1] # => true
