# The place of a method's binding is that of the method; the name of a file is one String.

def here = 1
line = __LINE__ - 1
def there = 2
method(:here).source_location[0].equal?(method(:there).source_location[0]) # => true
method(:here).source_location[0].frozen? # => true
proc {}.source_location[0].frozen? # => true
method(:here).to_proc.binding.source_location == [__FILE__, line] # => true
method(:here).to_proc.binding.local_variables # => []
method(:puts).to_proc.binding.source_location # => ["(binding)", 1]
