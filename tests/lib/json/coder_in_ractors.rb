# A frozen JSON::Coder works in any ractor, if its block does
# needs: 4.0
require "json"
Warning[:experimental] = false
coder = JSON::Coder.new.freeze
Ractor.shareable?(coder) # => true
Ractor.new(coder) { |it| it.load(it.dump({ "a" => [1, 2.5, nil] })) }.value # => {"a" => [1, 2.5, nil]}
Ractor.shareable?(JSON::Coder.new) # => false
shown = JSON::Coder.new(&Ractor.shareable_proc { |object| object.to_s }).freeze
Ractor.shareable?(shown) # => true
Ractor.new(shown) { |it| it.dump([Object, 1]) }.value # => "[\"Object\",1]"
text = +"x"
Ractor.shareable?(JSON::Coder.new { text }.freeze) # => false
Ractor.shareable?(JSON::State.new) # => false
Ractor.shareable?(JSON::State.new.freeze) # => true
