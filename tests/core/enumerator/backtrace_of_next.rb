# What an enumeration raises that is asked for its values one by one was called by the enumerator's `each`.
def broken
  return to_enum(:broken) unless block_given?
  raise "broken"
end

def places(error) = error.backtrace.map { |place| place[/'.*'/] }

found = begin
  broken.next
rescue => e
  places(e)
end
found # => ["'Object#broken'", "'Enumerator#each'"]
found = begin
  [1, 2].each.with_index.next
  [1].map.with_index { |*| raise "inside" }
rescue => e
  places(e)
end
found[0..2] # => ["'block in <main>'", "'Array#map'", "'Enumerator#with_index'"]
found = begin
  broken.with_index.next
rescue => e
  places(e)
end
found # => ["'Object#broken'", "'Enumerator#with_index'", "'Enumerator#each'"]
