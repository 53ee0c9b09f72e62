# Hash#compact is a copy without nil: its class, default and instance variables are the receiver's.
class Table < Hash; attr_accessor :name; end

table = Table.new(5)
table[1], table[2], table[3] = nil, 2, nil
table.name = "t"
compact = table.compact
compact                                                    # => {2 => 2}
[compact.class, compact.default, compact.name]             # => [Table, 5, "t"]
table.size                                                 # => 3
Table[1, 2].freeze.compact.frozen?                         # => false
{ 1 => nil, "a" => 1 }.compare_by_identity.compact.compare_by_identity? # => true
Hash.new { 7 }.compact[1]                                  # => 7
