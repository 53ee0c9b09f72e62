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
