def a = b
def b = raise("deep")
e = (a rescue $!)
e.backtrace.map { |l| l[/\d+:in .*/] }.first(3) # => ["2:in 'Object#b'", "1:in 'Object#a'", "3:in '<main>'"]
e.backtrace_locations.first.label # => "Object#b"
e.backtrace_locations.first.path == __FILE__ # => true
e.backtrace_locations.map(&:lineno).first(3) # => [2, 1, 3]
e.full_message(highlight: false, order: :top).lines.first.include?("deep (RuntimeError)") # => true
e.set_backtrace(["x:1", "y:2"])
e.backtrace # => ["x:1", "y:2"]
e.backtrace_locations # => ["TESTS/core/exception/backtrace.rb:2:in 'Object#b'", "TESTS/core/exception/backtrace.rb:1:in 'Object#a'", "TESTS/core/exception/backtrace.rb:3:in '<main>'"]
f = RuntimeError.new("raised with trace")
(raise f, "other", ["t:1"] rescue $!.backtrace) # => ["t:1"]
[1].each { |x| e = (raise "in block" rescue $!) }
e.backtrace.first[/\d+:in .*/] # => "14:in 'block in <main>'"
class K
  def m = raise("m")
  def self.s = raise("s")
  define_method(:d) { raise "d" }
end
(K.new.m rescue $!.backtrace.first[/in .*/]) # => "in 'K#m'"
(K.s rescue $!.backtrace.first[/in .*/]) # => "in 'K.s'"
(K.new.d rescue $!.backtrace.first[/in .*/]) # => "in 'block in <class:K>'"
(Integer("x") rescue $!.backtrace.first[/in .*/]) # => "in 'Kernel#Integer'"
(proc { raise "p" }.call rescue $!.backtrace.first[/in .*/]) # => "in 'block in <main>'"
(eval("raise 'e'", nil, "ev.rb", 5) rescue $!.backtrace.first) # => "ev.rb:5:in '<main>'"
