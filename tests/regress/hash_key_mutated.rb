k = [1]
h = { k => :v }
k << 2
h[k] # => nil
h.rehash[k] # => :v
