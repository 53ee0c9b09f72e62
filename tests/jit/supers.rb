# `super` in methods that are lowered in the place of calls, in blocks, in methods made of Procs;
# what it leads to changes while running.

require_relative "fixtures/turns"

class Base
  def plain(a) = [:base, a]
  def none = :none
  def yields(a) = yield(a)
  def given = block_given?
  def optional(a, b = a + 1, c: 3) = [a, b, c]
  def handed(&block) = block
  def keys(a:, b: 2) = [a, b]
  attr_accessor :attribute
  define_method(:made) { |x| [x, self.class] }
end

class Derived < Base
  def plain(a) = super
  def none = super()
  def yields(a) = super
  def given = super
  def optional(a, b = 7, c: 4) = super
  def handed(&block) = super
  def keys(a:, b: 5) = super
  def attribute = super
  def attribute=(value)
    super(value && value + 1)
  end
  def made(x) = super(x + 1)
end

object = Derived.new
turns { |i| object.plain(i) } # => [:base, 59]
turns { object.none } # => :none
turns { |i| object.yields(i) { |x| x * 2 } } # => 118
turns { object.given } # => false
turns { object.given {} } # => true
turns { |i| object.optional(i) } # => [59, 7, 4]
turns { |i| object.optional(i, 1, c: 2) } # => [59, 1, 2]
turns { object.handed { 5 } }.call # => 5
turns { object.handed } # => nil
turns { |i| object.keys(a: i) } # => [59, 5]
turns { |i| object.attribute = i; object.attribute } # => 60
turns { |i| object.made(i) } # => [60, Derived]

# Through several classes, and with changed arguments.
class Third < Derived
  def plain(a)
    a += 1
    super
  end
  def yields(a) = super(a) { |x| yield(x) + 1 }
end
third = Third.new
turns { |i| third.plain(i) } # => [:base, 60]
turns { |i| third.yields(i) { |x| x * 2 } } # => 119
turns { |i| (i.even? ? third : object).plain(i) } # => [:base, 59]

# A block of the method says `super` for it, also when it runs elsewhere.
class Base
  def block(a) = [a, self.class.name, block_given? ? yield(a) : nil]
end
class Blocks < Base
  def block(a)
    out = nil
    [1].each { out = super }
    out
  end
end
class Late < Base
  def block(a)
    -> { super }
  end
end
turns { |i| Blocks.new.block(i) } # => [59, "Blocks", nil]
turns { |i| Blocks.new.block(i) { |x| x + 1 } } # => [59, "Blocks", 60]
turns { |i| Late.new.block(i) { |x| x + 2 }.call } # => [59, "Late", 61]

class Locked < Base
  def initialize
    @lock = Mutex.new
  end

  def block(a)
    @lock.synchronize { super }
  end
end
locked = Locked.new
turns { |i| locked.block(i) { |x| x - 1 } } # => [59, "Locked", 58]

# `break` and `return` in the block that is passed on.
class Base
  def loops
    5.times { |i| yield i }
    :end
  end
end
class Loops < Base
  def loops = super
end
class Ensured < Base
  def loops
    super
  ensure
    ($left ||= []) << 1
  end
end
loops = Loops.new
turns { loops.loops { |i| break i * 10 if i == 3 } } # => 30
def out_of(loops) = loops.loops { |i| return i + 100 if i == 2 }
turns { out_of(loops) } # => 102
turns(40) { Ensured.new.loops { |i| break i if i == 1 } } # => 1
$left.size # => 40
turns { sum = 0; loops.loops { |i| sum += i; next if i > 2 }; sum } # => 10

# Methods made of Procs pass no arguments on by themselves.
class MadeOf < Base
  define_method(:plain) { |a| super(a + 1) }
  define_method(:yields) { |a, &block| super(a, &block) }
  define_method(:none) { super }
end
made = MadeOf.new
turns { |i| made.plain(i) } # => [:base, 60]
turns { |i| made.yields(i) { |x| x + 5 } } # => 64
20.times.map { made.none rescue $!.class }.uniq # => [RuntimeError]

# Modules: the same code at different places among the ancestors.
module Loud
  def plain(a) = [:loud, *super]
end
class Fourth < Base
  include Comparable
  include Enumerable
  def plain(a) = [:fourth, *super]
end
class Fifth < Base
  include Loud
end
class Sixth < Fourth
  include Loud
end
class Seventh < Fourth
  prepend Loud
end
all = [Fifth.new, Sixth.new, Seventh.new, Fifth.new.extend(Loud)]
turns { |i| all.map { |one| one.plain(i) } } # => [[:loud, :base, 59], [:loud, :fourth, :base, 59], [:loud, :fourth, :base, 59], [:loud, :base, 59]]

# What it leads to is defined anew, removed, included in front.
turns { |i| class Base; def plain(a) = [:second, a]; end if i == 30; object.plain(i) } # => [:second, 59]
turns { |i| class Derived; prepend Loud; end if i == 30; object.plain(i) } # => [:loud, :second, 59]
turns { |i| class Middle < Base; def none = :middle; end if i == 30; object.none } # => :none
turns { |i| Derived.include(Module.new { def none = [:between, *super] }) if i == 30; object.none } # => [:between, :none]
turns { |i| class Base; remove_method :none; end if i == 30; begin; object.none; rescue NoMethodError; $!.message; end } # => "super: no superclass method 'none' for an instance of Derived"
class Base
  def method_missing(name, *args) = [:missing, name, args]
  def respond_to_missing?(*) = true
end
turns { |i| object.none } # => [:between, :missing, :none, []]

# The object gets a class of its own between the call and `super`.
class Changing < Base
  def plain(a)
    singleton_class.include(Loud) if a == 40
    extend(Module.new { def given = :given }) if a == 41
    super
  end
end
changing = Changing.new
turns { |i| changing.plain(i) } # => [:loud, :second, 59]

class Initial
  attr_reader :list
  def initialize(*list)
    super()
    @list = list
  end
end
class Initial2 < Initial
  def initialize(a)
    super(a, a)
  end
end
class Initial3
  def initialize(a)
    super
  end
end
turns { |i| Initial2.new(i).list } # => [59, 59]
20.times.map { |i| Initial3.new(i) rescue $!.message }.uniq # => ["wrong number of arguments (given 1, expected 0)"]

# Refinements that are active at the place of `super`.
module Refined
  refine Base do
    def refined(a) = [:refined, *super]
  end
end
class Base
  def refined(a) = [:original, a]
end
class Refining < Base
  def refined(a) = super
end
using Refined
class RefiningToo < Base
  def refined(a) = super
end
turns { |i| Refining.new.refined(i) } # => [:original, 59]
turns { |i| RefiningToo.new.refined(i) } # => [:refined, :original, 59]

# self was changed in a block that says `super`.
class Evaluated < Base
  def given
    Object.new.instance_eval { super() }
  end
end
20.times.map { Evaluated.new.given rescue $!.class }.uniq # => [TypeError]

# Backtraces and bindings of frames that were not there.
class Base
  def raises(a) = raise("a#{a}")
  def where = caller_locations(0).map(&:label).first(3)
  def bound = binding.local_variables
end
class Derived
  def raises(a) = super
  def where = super
  def bound(x = 1) = super()
end
turns { |i| begin; object.raises(i); rescue; $!.backtrace_locations.first(2).map(&:lineno).size; end } # => 2
turns { object.where } # => ["Base#where", "Derived#where", "block in <main>"]
turns { object.bound } # => []

# Callbacks of a singleton.
single = Object.new
def single.to_s = "<#{super.class}>"
def single.inspect = super.class
turns { single.to_s } # => "<String>"
turns { single.inspect } # => String
