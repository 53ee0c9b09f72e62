require "json"
require "json/add/range"
require "json/add/symbol"
require "json/add/struct"
require "json/add/rational"
require "json/add/complex"
require "json/add/regexp"
require "json/add/exception"
require "json/add/set"
require "json/add/time"
Point = Struct.new(:x, :y)
def there_and_back(object) = JSON.parse(JSON.generate(object), create_additions: true)
there_and_back(1..3) # => 1..3
there_and_back(1...3) # => 1...3
there_and_back(:sym) # => :sym
there_and_back(Point.new(1, [2])) # => #<struct Point x=1, y=[2]>
there_and_back(Rational(1, 3)) # => (1/3)
there_and_back(Complex(1, 2)) # => (1+2i)
there_and_back(/a+/i) # => /a+/i
there_and_back(Time.at(5, 7, :nsec)) == Time.at(5, 7, :nsec) # => true
there_and_back(ArgumentError.new("why")).message # => "why"
there_and_back(Set[1, 2]).to_a # => [1, 2]
JSON.generate(1..3) # => "{\"json_class\":\"Range\",\"a\":[1,3,false]}"
JSON.parse('{"json_class":"Range","a":[1,3,false]}') # => {"json_class" => "Range", "a" => [1, 3, false]}
JSON.parse('{"json_class":"Nope"}', create_additions: true) # raises ArgumentError: can't get const Nope: uninitialized constant Nope
JSON.parse('{"json_class":"String"}', create_additions: true) # => {"json_class" => "String"}
JSON.parse('{}', create_additions: true, symbolize_names: true) # raises ArgumentError: options :symbolize_names and :create_additions cannot be  used in conjunction
JSON.create_id # => "json_class"
