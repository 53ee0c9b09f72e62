$log = []
class Base
  def self.inherited(k)
    super
    $log << [:inherited, k.name]
  end
  def self.method_added(n) = $log << [:added, n]
  def self.singleton_method_added(n) = $log << [:sadded, n]
  def self.method_removed(n) = $log << [:removed, n]
  def self.method_undefined(n) = $log << [:undefined, n]
end
module Mod
  def self.included(b) = $log << [:included, b.name]
  def self.extended(b) = $log << [:extended, b.class]
  def self.prepended(b) = $log << [:prepended, b.name]
  def self.append_features(b)
    $log << [:append, b.name]
    super
  end
  def self.const_added(n)
    $log << [:const, n]
    super
  end
  X = 1
end
class Derived < Base
  include Mod
  prepend Mod
  def m = 1
  def self.s = 1
  remove_method :m
  def n = 1
  undef_method :n
end
Object.new.extend(Mod)
$log.each { |entry| p entry }
# prints: [:sadded, :singleton_method_added]
# prints: [:sadded, :method_removed]
# prints: [:sadded, :method_undefined]
# prints: [:const, :X]
# prints: [:inherited, "Derived"]
# prints: [:append, "Derived"]
# prints: [:included, "Derived"]
# prints: [:prepended, "Derived"]
# prints: [:added, :m]
# prints: [:sadded, :s]
# prints: [:removed, :m]
# prints: [:added, :n]
# prints: [:undefined, :n]
# prints: [:extended, Object]
