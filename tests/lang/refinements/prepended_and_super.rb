# A refinement comes before the modules prepended to the class; its `super` goes through them, and to other refinements.
class Refined
  module Before
    def foo = super << :before
  end
  def foo = [:own]
  prepend Before
end
class Upper; end
class Lower < Upper; end
module Refinements
  refine(Refined) { def foo = super << :refined }
  refine(Upper) { def to_s = "Upper" }
  refine(Lower) { def to_s = super + " Lower" }
end
using Refinements
Refined.new.foo # => [:own, :before, :refined]
Lower.new.to_s # => "Upper Lower"
m = Module.new
m.send(:using, Refinements) # raises RuntimeError: Module#using is not called on self
class NoProc; end
module ToProc
  refine(NoProc) { def to_proc = true }
end
using ToProc
[1].each(&NoProc.new) # raises TypeError
