# Messages name a class by its own to_s.
class Titled
  def self.to_s = "Titel\u00e9"
end
class TitledNumber < Numeric
  def self.to_s = "Zahl\u00e9"
end
class Failing
  def self.to_s = raise("no")
end

(1.0 < Titled.new) # raises ArgumentError: comparison of Float with Titelé failed
Titled.new.freeze.instance_variable_set(:@a, 1) rescue $!.message[/\A\S+ \S+ \S+ [^:]+/] # => "can't modify frozen Titelé"
TitledNumber.new.clone(freeze: false) # raises ArgumentError: can't unfreeze Zahlé
Object.new.clone(freeze: Titled.new) # raises ArgumentError: unexpected value for freeze: Titelé
Time.at(Titled.new) # raises TypeError: can't convert Titelé into an exact number
