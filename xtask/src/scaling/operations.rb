# Operations of core and library whose time and memory `cargo xtask scaling` compares between two sizes and two Rubies.
#
# Without arguments: names and sizes. With a name and a size: runs the operation,
# and prints processor seconds and peak kilobytes.

OPERATIONS = {}

def operation(name, size = 20_000, &body) = OPERATIONS[name] = [size, body]

def words(n) = Array.new(n) { |i| "word#{i}" }
def line(n) = "one two, three\n" * n

# -- strings
operation("String#<<") { |n| s = +""; n.times { s << "abc" } }
operation("String#+ of pieces", 4000) { |n| s = ""; n.times { s += "a" } }
operation("String#prepend", 4000) { |n| s = +""; n.times { s.prepend("ab") } }
operation("String#insert in the middle", 4000) { |n| s = +"ab"; n.times { s.insert(1, "x") } }
operation("String#each_char") { |n| line(n).each_char { } }
operation("String#each_char, not ASCII") { |n| ("äö" * n).each_char { } }
operation("String#each_byte") { |n| line(n).each_byte { } }
operation("String#each_line") { |n| line(n).each_line { } }
operation("String#each_codepoint") { |n| line(n).each_codepoint { } }
operation("String#each_grapheme_cluster", 5000) { |n| ("äö" * n).each_grapheme_cluster { } }
operation("String#each_char, left early") { |n| 20.times { line(n).each_char { break } } }
operation("String#chars") { |n| line(n).chars }
operation("String#bytes") { |n| line(n).bytes }
operation("String#lines") { |n| line(n).lines }
operation("String#gsub, string") { |n| line(n).gsub("two", "2") }
operation("String#gsub, regexp") { |n| line(n).gsub(/t(w)o/, "<\\1>") }
operation("String#gsub, block") { |n| line(n).gsub(/two/) { it.upcase } }
operation("String#gsub, hash") { |n| line(n).gsub(/two|one/, "one" => "1", "two" => "2") }
operation("String#gsub!, not ASCII") { |n| ("äöü" * n).gsub!("ö", "oe") }
operation("String#sub! over and over", 3000) { |n| s = "a" * n; n.times { s.sub!("a", "b") } }
operation("String#scan") { |n| line(n).scan(/\w+/) }
operation("String#scan, block") { |n| line(n).scan(/\w+/) { } }
operation("String#split, string") { |n| line(n).split(" ") }
operation("String#split, regexp") { |n| line(n).split(/,\s*/) }
operation("String#split, block") { |n| line(n).split("\n") { } }
operation("String#partition over and over", 2000) { |n| s = "a," * n; _, _, s = s.partition(",") until s.empty? }
operation("String#slice! at the front") { |n| s = "ab" * n; s.slice!(0, 2) until s.empty? }
operation("String#[] by character, not ASCII", 2000) { |n| s = "äö" * n; n.times { |i| s[i] } }
operation("String#index from a place", 20_000) { |n| s = "ab" * n; at = 0; at += 1 while (at = s.index("b", at)) }
operation("String#tr") { |n| line(n).tr("a-y", "b-z") }
operation("String#delete, squeeze, count") { |n| s = line(n); s.delete("o"); s.squeeze; s.count("e") }
operation("String#reverse") { |n| ("äb" * n).reverse }
operation("String#inspect") { |n| line(n).inspect }
operation("String#inspect, not ASCII") { |n| ("ä\u0001" * n).inspect }
operation("String#dump and undump") { |n| ("ä\u0100" * n).dump.undump }
operation("String#==") { |n| a, b = line(n), line(n); 20.times { a == b } }
operation("String#hash") { |n| s = line(n); 20.times { s.hash } }
operation("String#unpack") { |n| ("abcd" * n).unpack("N*") }
operation("String#unpack, base64") { |n| [("abcd" * n)].pack("m").unpack1("m") }
operation("String#encode") { |n| ("äb" * n).encode("UTF-16LE").encode("UTF-8") }
operation("String#unicode_normalize", 5000) { |n| ("äb" * n).unicode_normalize(:nfd) }
operation("String#succ") { |n| s = "a"; n.times { s = s.succ } }
operation("String#% and format") { |n| n.times { |i| format("%05d %s %.2f", i, "x", 1.5) } }
operation("String#upcase, swapcase, not ASCII") { |n| ("äb" * n).upcase.swapcase }
operation("String#start_with?, regexp") { |n| s = line(n); n.times { s.start_with?(/one/) } }
operation("String#to_i of many digits", 3000) { |n| ("7" * n).to_i }
operation("String#casecmp?") { |n| ("äb" * n).casecmp?("ÄB" * n) }
operation("String#byteslice") { |n| s = "ab" * n; n.times { |i| s.byteslice(i, 10) } }
operation("String#setbyte") { |n| s = "a" * n; n.times { |i| s.setbyte(i, 98) } }
operation("String#[]= in place") { |n| s = "a" * n; n.times { |i| s[i] = "b" } }
operation("String#sum") { |n| line(n).sum }
operation("string keys interned") { |n| n.times { |i| -"key#{i}" } }

# -- symbols
operation("String#to_sym, kept") { |n| Array.new(n) { |i| "kept#{i}".to_sym } }
operation("String#to_sym, dropped", 100_000) { |n| n.times { |i| "dropped#{i}".to_sym } }
operation("Symbol#to_proc") { |n| n.times { [1].map(&:to_s) } }
operation("Symbol#succ") { |n| s = :a; n.times { s = s.succ } }
operation("Symbol#<=>") { |n| Array.new(n) { |i| :"s#{i}" }.sort }
operation("Symbol#inspect") { |n| Array.new(n) { |i| :"s #{i}" }.inspect }

# -- arrays
operation("Array#push and pop", 100_000) { |n| a = []; n.times { a.push(it) }; n.times { a.pop } }
operation("Array#shift", 100_000) { |n| a = Array.new(n, 1); n.times { a.shift } }
operation("Array#unshift") { |n| a = []; n.times { a.unshift(it) } }
operation("a queue of push and shift", 100_000) { |n| a = [1, 2, 3]; n.times { a.push(it); a.shift } }
operation("Array#insert in the middle", 4000) { |n| a = [1, 2]; n.times { a.insert(a.size / 2, it) } }
operation("Array#flatten") { |n| Array.new(n) { [1, [2, [3]]] }.flatten }
operation("Array#flatten, deep", 2000) { |n| n.times.inject([]) { |a, i| [a, i] }.flatten }
operation("Array#sort") { |n| Array.new(n) { |i| i * 7919 % n }.sort }
operation("Array#sort, strings") { |n| words(n).sort }
operation("Array#sort, block") { |n| Array.new(n) { |i| i * 7919 % n }.sort { |a, b| b <=> a } }
operation("Array#sort_by") { |n| words(n).sort_by { it.size } }
operation("Array#sort, equal") { |n| Array.new(n, 1).sort }
operation("Array#uniq") { |n| words(n).uniq }
operation("Array#uniq, block") { |n| words(n).uniq { it.size } }
operation("Array#-, &, |") { |n| a = words(n); (a - a) | (a & a) }
operation("Array#inspect") { |n| words(n).inspect }
operation("Array#==") { |n| words(n) == words(n) }
operation("Array#hash") { |n| words(n).hash }
operation("Array#<=>") { |n| words(n) <=> words(n) }
operation("Array#join") { |n| words(n).join(",") }
operation("Array#join, nested") { |n| Array.new(n) { [1, [2]] }.join(",") }
operation("Array#pack") { |n| Array.new(n, 65).pack("U*"); Array.new(n, 65).pack("C*") }
operation("Array#combination", 60) { |n| Array.new(n, 1).combination(2) { } }
operation("Array#each_slice, each_cons") { |n| a = Array.new(n, 1); a.each_slice(3) { }; a.each_cons(3) { } }
operation("Array#group_by, partition, tally") do |n|
  a = Array.new(n) { it % 10 }
  a.group_by { it }
  a.partition(&:even?)
  a.tally
end
operation("Array#zip, transpose") { |n| a = Array.new(n, 1); a.zip(a).transpose }
operation("Array#delete_if, reject!, select!") { |n| Array.new(n) { it }.delete_if(&:odd?).reject! { it % 3 == 0 } }
operation("Array#delete_at the front") { |n| a = Array.new(n, 1); n.times { a.delete_at(0) } }
operation("Array#concat and slices") { |n| a = []; n.times { a.concat([1, 2]) }; n.times { |i| a[i, 5] } }
operation("Array#pack, buffer") { |n| s = +""; n.times { [it].pack("N", buffer: s) } }
operation("Array#product, dig, bsearch") { |n| a = Array.new(n) { it }; n.times { |i| a.bsearch { |x| x >= i } } }
operation("Array#cycle, rotate, sum, max") { |n| a = Array.new(n) { it }; a.rotate(3).sum; a.max; a.minmax }
operation("Array#sample, shuffle") { |n| Array.new(n) { it }.shuffle.sample(10) }
operation("splat of an array") { |n| a = Array.new(100, 1); (n / 10).times { [*a, *a] } }

# -- hashes and sets
operation("Hash#[]=, integers", 50_000) { |n| h = {}; n.times { h[it] = it } }
operation("Hash#[]=, strings", 50_000) { |n| h = {}; n.times { h["k#{it}"] = it } }
operation("Hash#[]=, objects") { |n| h = {}; n.times { h[Object.new] = it } }
operation("Hash#[]=, arrays") { |n| h = {}; n.times { h[[it, it]] = it } }
operation("Hash#[]=, floats") { |n| h = {}; n.times { h[it * 1.5] = it } }
operation("Hash#delete") { |n| h = Array.new(n) { [it, it] }.to_h; n.times { h.delete(it) } }
operation("Hash#shift") { |n| h = Array.new(n) { [it, it] }.to_h; n.times { h.shift } }
operation("a cache of []= and shift", 50_000) { |n| h = {}; n.times { h[it] = it; h.shift if h.size > 100 } }
operation("Hash#first after deletes") { |n| h = Array.new(n) { [it, it] }.to_h; n.times { h.delete(h.first[0]) } }
operation("Hash#merge") { |n| h = Array.new(n) { [it, it] }.to_h; 5.times { h = h.merge({it => 1}) } }
operation("Hash#each, map, select") do |n|
  h = Array.new(n) { [it, it] }.to_h
  h.each { }
  h.map { |k, v| v }
  h.select { |k, v| v }
end
operation("Hash#sort_by, min_by, group_by") do |n|
  h = Array.new(n) { [it, it] }.to_h
  h.sort_by { |k, v| -v }
  h.group_by { |k, v| v % 3 }
end
operation("Hash#inspect") { |n| Array.new(n) { ["k#{it}", it] }.to_h.inspect }
operation("Hash#==") { |n| a = Array.new(n) { ["k#{it}", it] }.to_h; a == a.dup }
operation("Hash#hash") { |n| Array.new(n) { ["k#{it}", it] }.to_h.hash }
operation("Hash#compare_by_identity") { |n| h = {}.compare_by_identity; n.times { h["k"] = it } }
operation("Hash#transform_values, invert, to_a") do |n|
  h = Array.new(n) { [it, it] }.to_h
  h.transform_values { it + 1 }.invert.to_a
end
operation("Hash#rehash, compact") { |n| h = Array.new(n) { [it, it] }.to_h; h.rehash.compact }
operation("Hash with default block") { |n| h = Hash.new { |hash, key| hash[key] = [] }; n.times { h[it % 1000] << it } }
operation("Set#add, include?, delete") do |n|
  s = Set.new
  n.times { s << it }
  n.times { s.include?(it) }
  n.times { s.delete(it) }
end
operation("Set#|, &, -, ^") { |n| a, b = Set.new(0...n), Set.new(n / 2...n); a | b; a & b; a - b; a ^ b }
operation("Set#subset?, ==, hash") { |n| a, b = Set.new(0...n), Set.new(0...n); a.subset?(b); a == b; a.hash }
operation("ObjectSpace::WeakMap") do |n|
  m = ObjectSpace::WeakMap.new
  keep = Array.new(n) { Object.new }
  keep.each { m[it] = it }
  keep.each { m[it] }
end
operation("ObjectSpace::WeakMap, dead keys") do |n|
  m = ObjectSpace::WeakMap.new
  n.times { m[Object.new] = Object.new }
end
operation("ObjectSpace::WeakKeyMap") do |n|
  m = ObjectSpace::WeakKeyMap.new
  keep = words(n)
  keep.each { m[it] = 1 }
  keep.each { m.getkey(it) }
end
operation("WeakRef", 10_000) { |n| require "weakref"; Array.new(n) { WeakRef.new(Object.new) } }

# -- objects, classes, methods
operation("instance variables") do |n|
  Array.new(n) { o = Object.new; o.instance_variable_set(:@a, 1); o.instance_variable_set(:@b, 2); o }
end
operation("instance_variable_set of many names", 1000) do |n|
  o = Object.new
  n.times { o.instance_variable_set("@v#{it}", it) }
  n.times { o.instance_variable_get("@v#{it}") }
end
operation("many objects with variables of their own", 1000) do |n|
  n.times { Object.new.instance_variable_set("@w#{it}", it) }
end
operation("remove_instance_variable", 300) do |n|
  o = Object.new
  n.times { o.instance_variable_set("@v#{it}", it) }
  n.times { o.remove_instance_variable("@v#{it}") }
end
operation("instance variables of strings") { |n| Array.new(n) { s = +"a"; s.instance_variable_set(:@a, 1); s } }
operation("define_method", 3000) do |n|
  c = Class.new
  n.times { |i| c.define_method("m#{i}") { i } }
  o = c.new
  n.times { o.send("m#{it}") }
end
operation("attr_accessor", 2000) { |n| c = Class.new; n.times { c.attr_accessor "a#{it}" } }
operation("remove_method, undef_method", 2000) do |n|
  c = Class.new
  n.times { |i| c.define_method("m#{i}") { } }
  n.times { c.send(:remove_method, "m#{it}") }
end
operation("instance_methods", 2000) do |n|
  c = Class.new
  n.times { |i| c.define_method("m#{i}") { } }
  5.times { c.instance_methods }
end
operation("singleton classes", 5000) { |n| Array.new(n) { o = Object.new; def o.x = 1; o } }
operation("singleton classes, extended", 3000) { |n| m = Module.new; Array.new(n) { Object.new.extend(m) } }
operation("Class.new", 3000) { |n| Array.new(n) { Class.new } }
operation("Class.new, subclasses of one", 3000) do |n|
  b = Class.new
  kept = Array.new(n) { Class.new(b) }
  b.subclasses.size + kept.size
end
operation("include of many modules", 100) { |n| c = Class.new; n.times { c.include(Module.new) }; c.ancestors }
operation("include into a module with many users", 500) do |n|
  m = Module.new
  kept = Array.new(n) { Class.new { include m } }
  m.include(Module.new)
  kept.size
end
operation("a deep hierarchy", 100) { |n| c = Object; n.times { c = Class.new(c) }; c.new.to_s; c.ancestors }
operation("const_set", 3000) do |n|
  m = Module.new
  n.times { m.const_set("C#{it}", it) }
  m.constants
  n.times { m.const_get("C#{it}") }
end
operation("class variables", 1000) do |n|
  c = Class.new
  n.times { c.class_variable_set("@@v#{it}", it) }
  c.class_variables
end
operation("method objects") { |n| Array.new(n) { it.method(:+) } }
operation("send, public_send, respond_to?") { |n| n.times { it.send(:+, 1); it.respond_to?(:foo) } }
operation("method_missing") do |n|
  c = Class.new { def method_missing(name, *) = name }
  o = c.new
  n.times { o.foo(1) }
end
operation("dup and clone") { |n| o = Object.new; Array.new(n) { o.dup.clone } }
operation("object_id") { |n| Array.new(n) { Object.new.object_id } }
operation("ObjectSpace.each_object") do |n|
  kept = Array.new(n) { Object.new }
  ObjectSpace.each_object(Module) { }
  kept.size
end
operation("finalizers", 5000) { |n| n.times { ObjectSpace.define_finalizer(Object.new, proc { }) } }
operation("Struct") { |n| s = Struct.new(:a, :b); l = Array.new(n) { s.new(it, 2) }; l.sort_by(&:a).uniq; l.inspect }
operation("Struct#==, hash") { |n| s = Struct.new(:a, :b); Array.new(n) { s.new(it, 2) }.to_h { [it, 1] } }
operation("Struct.new with many members", 300) do |n|
  Struct.new(*Array.new(n) { :"m#{it}" }).new(*Array.new(n, 1)).to_a
end
operation("Data", 10_000) do |n|
  d = Data.define(:a, :b)
  Array.new(n) { d.new(a: it, b: 2) }.map { it.with(a: 1) }.uniq
end
operation("Comparable") do |n|
  c = Class.new { include Comparable; attr_reader :a; def initialize(a) = @a = a; def <=>(o) = a <=> o.a }
  l = Array.new(n) { c.new(it) }
  l.sort
  l.each { it == l[0]; it.clamp(l[0], l[5]) }
end
operation("Range#each, to_a, sum, step") { |n| (0..n).each { }; (0..n).to_a; (0..n).step(2).to_a; ("a".."zz").to_a }
operation("refinements", 200) do |n|
  m = Module.new
  n.times { |i| c = Class.new; m.module_eval { refine(c) { def x = 1 } } }
end

# -- blocks, procs, bindings, exceptions
operation("procs, kept") { |n| Array.new(n) { |i| proc { i } } }
operation("lambda calls") { |n| l = ->(x) { x + 1 }; n.times { l.(it) } }
operation("Proc#curry, >>, <<", 5000) { |n| f = ->(a, b) { a + b }; n.times { (f.curry[1] >> :to_s.to_proc).call(2) } }
operation("Proc#>> in a chain", 300) { |n| f = ->(x) { x + 1 }; n.times.inject(f) { |g, _| g >> f }.call(0) }
operation("bindings, kept", 5000) { |n| Array.new(n) { |i| binding } }
operation("Binding#local_variable_set", 300) do |n|
  b = binding
  n.times { b.local_variable_set("v#{it}", it) }
  b.local_variables.size
end
operation("eval", 1000) { |n| n.times { eval("1 + #{it}") } }
operation("instance_eval, class_eval of strings", 500) { |n| c = Class.new; n.times { c.class_eval("def m#{it} = 1") } }
operation("a long program", 2000) { |n| eval("a = 0\n" + "a += 1\n" * n) }
operation("a long array literal", 5000) { |n| eval("[" + "1, 'a', :b, " * n + "]") }
operation("a long hash literal", 3000) { |n| eval("{" + Array.new(n) { "k#{it}: #{it}" }.join(",") + "}") }
operation("a long case", 1000) { |n| eval("case #{n - 1}\n" + Array.new(n) { "when #{it} then #{it}\n" }.join + "end") }
operation("many local variables", 500) { |n| eval(Array.new(n) { "v#{it} = #{it}\n" }.join) }
operation("deep nesting of source", 100) { |n| eval("[" * n + "]" * n) }
operation("catch and throw") { |n| n.times { catch(:x) { throw :x, 1 } } }
operation("catch, nested", 300) do |n|
  deep = ->(d) { d == 0 ? throw(:tag0) : catch(:"tag#{d}") { deep.(d - 1) } }
  catch(:tag0) { deep.(n) }
end
operation("exceptions") { |n| n.times { raise "x" rescue 1 } }
operation("exceptions from deep down", 200) do |n|
  deep = ->(d) { d == 0 ? raise("x") : deep.(d - 1) }
  20.times { deep.(n) rescue $!.backtrace }
end
operation("exceptions with causes", 300) do |n|
  f = ->(d) { begin; d == 0 ? raise("x") : f.(d - 1); rescue => e; raise "y#{d}"; end }
  f.(n) rescue $!.cause
end
operation("ensure") { |n| n.times { begin; 1; ensure; 2; end } }
operation("deep recursion", 500) { |n| f = ->(d) { d == 0 ? 0 : 1 + f.(d - 1) }; 10.times { f.(n) } }
operation("caller, caller_locations", 100) { |n| f = ->(d) { d == 0 ? caller.size : f.(d - 1) }; 10.times { f.(n) } }

# -- fibers, threads, enumerators
operation("fibers, one after the other", 5000) { |n| n.times { Fiber.new { 1 }.resume } }
operation("fibers, all at once", 500) { |n| Array.new(n) { Fiber.new { Fiber.yield } }.each(&:resume) }
operation("Fiber switches") { |n| f = Fiber.new { loop { Fiber.yield } }; n.times { f.resume } }
operation("threads, one after the other", 500) { |n| n.times { Thread.new { }.join } }
operation("threads, all at once", 100) do |n|
  q = Queue.new
  t = Array.new(n) { Thread.new { q.pop } }
  n.times { q << 1 }
  t.each(&:join)
end
operation("thread locals", 2000) do |n|
  n.times { Thread.current["key#{it}"] = it }
  n.times { Thread.current["key#{it}"] = nil }
end
operation("Mutex") { |n| m = Mutex.new; n.times { m.synchronize { } } }
operation("mutexes, held at once", 3000) { |n| l = Array.new(n) { Mutex.new.tap(&:lock) }; l.each(&:unlock) }
operation("Monitor") { |n| require "monitor"; m = Monitor.new; n.times { m.synchronize { } } }
operation("Queue", 50_000) { |n| q = Queue.new; n.times { q << it }; n.times { q.pop } }
operation("SizedQueue") { |n| q = SizedQueue.new(n); n.times { q << it }; n.times { q.pop } }
operation("ConditionVariable", 10_000) { |n| c = ConditionVariable.new; n.times { c.signal; c.broadcast } }
operation("Enumerator#next", 10_000) { |n| e = (1..n).each; n.times { e.next } }
operation("Enumerator::Lazy") { |n| (1..n).lazy.map { it + 1 }.select(&:even?).first(n / 4) }
operation("Enumerator::Yielder") { |n| Enumerator.new { |y| n.times { y << it } }.take(n / 2) }
operation("Enumerator, chained", 100) { |n| n.times.inject([1].each) { |e, _| e + [1] }.to_a }
operation("each_with_index, with_object, inject") do |n|
  a = Array.new(n, 1)
  a.each_with_index.map { |x, i| x + i }
  a.inject(:+)
  a.each_with_object([]) { |x, l| l << x }
end
operation("each_entry, chunk_while, slice_when") do |n|
  a = Array.new(n) { it / 3 }
  a.chunk_while { |x, y| x == y }.to_a
  a.slice_when { |x, y| x != y }.to_a
end

# -- regexps
operation("Regexp#match") { |n| s = line(n); s =~ /five/; n.times { /t(w)o/.match("one two") } }
operation("Regexp, many of them", 2000) { |n| Array.new(n) { Regexp.new("a#{it}(b+)") } }
operation("Regexp.union", 1000) { |n| Regexp.union(words(n)).match?("word5") }
operation("Regexp with nested repeats", 2000) { |n| ("a" * n) =~ /\A(a|a)*\z/ }
operation("Regexp from every place", 300) { |n| ("a" * n) =~ /a*b/ }
operation("MatchData#captures, named") { |n| n.times { /(?<a>t)(?<b>w)/.match("two").named_captures } }
operation("MatchData of a long string, not ASCII") { |n| s = "ä" * n; s.match(/ä\z/).begin(0) }
operation("StringScanner") { |n| require "strscan"; s = StringScanner.new(line(n)); nil while s.scan(/\w+|\W/) }
operation("String#rindex, rpartition, not ASCII", 2000) { |n| s = "äö" * n; 50.times { s.rindex("ä", -1 - it) } }

# -- numbers
operation("Integer#* of big ones", 1500) { |n| (7**n) * (3**n) }
operation("Integer#to_s of a big one", 1500) { |n| (7**n).to_s }
operation("factorial", 500) { |n| (1..n).inject(:*) }
operation("Integer#digits", 500) { |n| (7**n).digits }
operation("Rational sums", 300) { |n| (1..n).sum { Rational(1, it) } }
operation("Float#to_s") { |n| n.times { (it * 1.1).to_s } }
operation("Random") { |n| r = Random.new(1); n.times { r.rand(100) }; r.bytes(n) }

# -- library
operation("Marshal, strings") { |n| Marshal.load(Marshal.dump(words(n))) }
operation("Marshal, symbols") { |n| Marshal.load(Marshal.dump(Array.new(n) { :"m#{it}" })) }
operation("Marshal, objects") do |n|
  o = Struct.new(:a)
  Object.const_set(:Marshalled, o)
  Marshal.load(Marshal.dump(Array.new(n) { o.new(it) }))
end
operation("Marshal, deep", 300) { |n| Marshal.load(Marshal.dump(n.times.inject([]) { |a, _| [a] })) }
operation("JSON.generate") { |n| require "json"; JSON.generate(Array.new(n) { {"a" => it, "b" => "x"} }) }
operation("JSON.parse") do |n|
  require "json"
  JSON.parse("[" + Array.new(n) { "{\"k#{it}\":[1,2.5,\"x\"]}" }.join(",") + "]")
end
operation("JSON.parse, symbolized") do |n|
  require "json"
  JSON.parse("{" + Array.new(n) { "\"k#{it}\":1" }.join(",") + "}", symbolize_names: true)
end
operation("StringIO") do |n|
  require "stringio"
  io = StringIO.new
  n.times { io.puts(it) }
  io.rewind
  io.each_line { }
end
operation("Time") { |n| n.times { Time.at(it).utc.year } }
operation("Time#strftime") { |n| t = Time.at(0); n.times { t.strftime("%Y-%m-%d %H") } }
operation("Zlib") { |n| require "zlib"; Zlib.inflate(Zlib.deflate(line(n))) }
operation("Digest::SHA256") { |n| require "digest"; Digest::SHA256.hexdigest(line(n)) }
operation("YAML", 1000) { |n| require "yaml"; YAML.load(words(n).to_yaml) }
operation("CSV-like parsing") { |n| line(n).each_line.map { it.chomp.split(",") } }
operation("Comparable#clamp, Integer#times") { |n| n.times { it.clamp(1, 5) } }
operation("File.read and write") do |n|
  path = "/tmp/scaling#{$$}"
  File.write(path, line(n))
  File.read(path)
  File.foreach(path) { }
  File.delete(path)
end
operation("IO.pipe, line by line", 5000) { |n| r, w = IO.pipe; n.times { w.puts "x"; r.gets } }
operation("GC with living objects") { |n| kept = Array.new(n) { Object.new }; 3.times { GC.start }; kept.size }
operation("at_exit, trap, trace", 500) { |n| t = TracePoint.new(:call) { }; n.times { t.enable; t.disable } }

if ARGV.empty?
  OPERATIONS.each { |name, (size, _)| puts "#{size}\t#{name}" }
else
  size, name = Integer(ARGV[0]), ARGV[1]
  clock = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }
  before = clock.call
  OPERATIONS.fetch(name)[1].call(size) unless name == "nothing"
  seconds = clock.call - before
  puts "#{seconds} #{File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]}"
end
