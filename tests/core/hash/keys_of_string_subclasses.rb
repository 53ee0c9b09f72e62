# A String is copied and frozen as a key; one of a subclass is a key as it is.
class Name < String; end

name = Name.new("n")
name.instance_variable_set(:@part, 1)
same = ->(hash) { hash.keys.all? { |key| key.equal?(name) && !key.frozen? } }

same.({}.tap { |hash| hash[name] = 1 })                    # => true
same.({}.tap { |hash| hash.store(name, 1) })               # => true
same.({ name => 1 })                                       # => true
same.(Hash[name, 1])                                       # => true
same.([[name, 1]].to_h)                                    # => true
same.([name].group_by(&:itself))                           # => true
same.([name].tally)                                        # => true
same.({ 1 => name }.invert)                                # => true
same.({ 1 => 2 }.transform_keys { name })                  # => true
same.(Hash.new { |hash, key| hash[key] = 1 }.tap { |hash| hash[name] }) # => true
[Set[name], Set.new([name]), [name].to_set, Set.new << name].map { |set| set.first.equal?(name) }.uniq # => [true]

text = +"text"
def text.own = 1
hash = { text => 1 }
hash[+"other"] = 2
hash.keys.map { |key| [key.class, key.frozen?, key.respond_to?(:own)] } # => [[String, true, false], [String, true, false]]
{}.compare_by_identity.tap { |pairs| pairs[text] = 1 }.keys.first.equal?(text) # => true
