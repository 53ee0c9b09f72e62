# A lone Array is spread over a block's parameters, but not where keywords were passed beside it, even none.
def plain(list) = yield(list)
def splatted(list, options) = yield(list, **options)
plain([1, 2]) { |a, b = 0| [a, b] } # => [1, 2]
splatted([1, 2], {}) { |a, b = 0| [a, b] } # => [[1, 2], 0]
splatted([1, 2], { k: 3 }) { |a, b = 0| [a, b] } # => [[1, 2], {k: 3}]
splatted([1, 2], { k: 3 }) { |a, b = 0, k: 4| [a, b, k] } # => [[1, 2], 0, 3]
plain([1, 2]) { |a, b = 0, k: 4| [a, b, k] } # => [1, 2, 4]
splatted([1, 2], {}) { |a, b| [a, b] } # => [1, 2]
splatted([1, 2], {}) { |a, *b| [a, b] } # => [[1, 2], []]
splatted([1, 2], {}) { |a, (b, c), d| [a, b, c, d] } # => [1, 2, nil, nil]
def flagged(list) = yield(*list)
flagged([[1, 2]]) { |a, b, **| [a, b] } # => [1, 2]
flagged([[1, 2], Hash.ruby2_keywords_hash({})]) { |a, b, **| [a, b] } # => [[1, 2], nil]
