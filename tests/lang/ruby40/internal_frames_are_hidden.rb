# needs: 4.0
e = ([1].fetch_values(42) rescue $!)
e.backtrace.first[/\d+:in .*/] # => "2:in 'Array#fetch_values'"
e.backtrace.size # => 2
f = ([1].each { raise "x" } rescue $!)
f.backtrace.map { |line| line[/in .*/] } # => ["in 'block in <main>'", "in 'Array#each'", "in '<main>'"]
g = (2.times { raise "x" } rescue $!)
g.backtrace.map { |line| line[/in .*/] } # => ["in 'block in <main>'", "in 'Integer#times'", "in '<main>'"]
