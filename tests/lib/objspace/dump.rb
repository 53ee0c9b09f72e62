# ObjectSpace.dump and dump_all describe objects as JSON.
require "json"
require "objspace"

def described(object) = JSON.parse(ObjectSpace.dump(object))

string = described(+"h\u00E9\n\"")
array = described([1, "a"])
all = ObjectSpace.dump_all(output: :string).lines.map { |line| JSON.parse(line) }

string.slice("type", "bytesize", "encoding", "coderange", "value") # => {"type" => "STRING", "bytesize" => 5, "encoding" => "UTF-8", "coderange" => "valid", "value" => "hé\n\""}
array.slice("type", "length")                                       # => {"type" => "ARRAY", "length" => 2}
array["references"].size                                            # => 1
(%w[STRING CLASS] - all.map { |one| one["type"] }).empty?           # => true
described(Comparable)["name"]                                       # => "Comparable"
described("\xFF").values_at("broken", "value")                      # => [true, nil]
ObjectSpace.dump(nil)                                               # => "null"
ObjectSpace.dump(:a)                                                # => "{\"type\":\"SYMBOL\", \"value\":\"a\"}"
ObjectSpace.dump(1.5)                                               # => "1.50000"
ObjectSpace.dump(true)                                              # => "true"
ObjectSpace.dump("x", output: 1)                                    # raises ArgumentError: wrong output option: 1
ObjectSpace.dump(Float::NAN)[/"value":"NaN"/] # => "\"value\":\"NaN\""
ObjectSpace.dump("\u000f")[/"value":"[^"]*"/] # => "\"value\":\"\\u000f\""
ObjectSpace.dump(2**70)[/"type":"\w+"/] # => "\"type\":\"BIGNUM\""
ObjectSpace.dump(IO.allocate)[/"fd"/] # => nil
ObjectSpace.count_tdata_objects[Proc].class # => Integer

# What is said of the memory of an object.
def described(object) = JSON.parse(ObjectSpace.dump(object))
described("a" * 8).values_at("embedded", "chilled", "fstring") # => [true, nil, nil]
described("a" * 3000)["embedded"] # => nil
described("a" * 8)["slot_size"] == ObjectSpace.memsize_of("a" * 8) # => true
described(-"some text")["fstring"] # => true
described(["some", "text"].join)["coderange"] # => "7bit"
unknown = "a" * 12
unknown.force_encoding("UTF-16LE").force_encoding("BINARY")
described(unknown)["coderange"] # => "unknown"
fresh = Object.new
described(fresh)["flags"] # => nil
4.times { GC.start }
described(fresh)["flags"] # => {"old" => true}

# Methods that a program has redefined do not matter, nor do names of its own.
class Odd < Array; def length = raise("asked"); def class = raise("asked"); end
described(Odd.new([1])).values_at("type", "length") # => ["ARRAY", 1]
ObjectSpace.dump_all(output: :string).lines.size > 1_000 # => true
ObjectSpace.singleton_methods.grep(/__/) # => []

# Only what was made since a collection.
ObjectSpace.trace_object_allocations_start
before = GC.count
GC.start
kept = Object.new
since = ObjectSpace.dump_all(output: :string, since: GC.count).lines.map { |line| JSON.parse(line) }
ObjectSpace.trace_object_allocations_stop
since.all? { |one| one["generation"] > before } # => true
since.count { |one| one["type"] == "OBJECT" && one["class"] == described(kept)["class"] } >= 1 # => true
ObjectSpace.dump_all(output: :string, since: "1") # raises TypeError: no implicit conversion of String into Integer
described([Odd, Odd])["references"].size # => 2
ObjectSpace.dump(2.0e300)[/"value":[^,]*/] # => "\"value\":2.0e+300"
