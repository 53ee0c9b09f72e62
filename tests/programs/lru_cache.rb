# A cache on an ordered hash, with a module of statistics prepended.
class Cache
  def initialize(limit)
    @limit = limit
    @entries = {}
  end
  def fetch(key)
    value = @entries.delete(key) { yield key }
    @entries[key] = value
    @entries.shift while @entries.size > @limit
    value
  end
  def keys = @entries.keys
end
module Statistics
  attr_reader :misses
  def initialize(...)
    super
    @misses = 0
  end
  def fetch(key)
    super { |k| @misses += 1; yield k }
  end
end
Cache.prepend(Statistics)
c = Cache.new(2)
%w[a b a c b].map { |k| c.fetch(k) { |x| x * 2 } } # => ["aa", "bb", "aa", "cc", "bb"]
c.keys # => ["c", "b"]
c.misses # => 4
