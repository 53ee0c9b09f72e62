procs = []
i = 0
while i < 3
  j = i
  procs << -> { [i, j] }
  i += 1
end
procs.map(&:call) # => [[3, 2], [3, 2], [3, 2]]
procs = []
3.times { |k| procs << -> { k } }
procs.map(&:call) # => [0, 1, 2]
procs = []
for q in 0..2 do procs << -> { q } end
procs.map(&:call) # => [2, 2, 2]
