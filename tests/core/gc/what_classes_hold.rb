# Methods, constants, variables and singleton classes that are given to an old class live on through collections.
class Old
  @@shared = nil
  def self.keep(value) = @kept = value
  def self.kept = @kept
  def self.shared=(value)
    @@shared = value
  end
  def self.shared = @@shared
end

def churn = 100.times { |i| "x" * 60_000 }

3.times { churn }
GC.stat(:minor_gc_count) + GC.stat(:major_gc_count) == GC.count # => true

kinds = 40.times.map do |i|
  Old.keep(["kept #{i}"])
  Old.shared = { i => "shared #{i}" }
  Old.const_set(:"C#{i}", "constant #{i}" * 2)
  Old.define_method(:"m#{i}") { |x| [x, i.to_s] }
  Old.class_eval("def e#{i}(a = [#{i}]) = a + ['literal #{i}']")
  object = Old.new
  object.define_singleton_method(:own) { "own #{i}" }
  churn if i % 8 == 0
  [Old.kept, Old.shared, Old.const_get(:"C#{i}"), object.send(:"m#{i}", 1), object.send(:"e#{i}"), object.own]
end
churn
kinds.each_with_index.all? { |k, i| k == [["kept #{i}"], { i => "shared #{i}" }, "constant #{i}constant #{i}", [1, i.to_s], [i, "literal #{i}"], "own #{i}"] } # => true
40.times.all? { |i| Old.const_get(:"C#{i}") == "constant #{i}" * 2 && Old.new.send(:"m#{i}", 2) == [2, i.to_s] && Old.new.send(:"e#{i}") == [i, "literal #{i}"] } # => true
[Old.kept, Old.shared] # => [["kept 39"], {39 => "shared 39"}]
GC.start
Old.kept # => ["kept 39"]
