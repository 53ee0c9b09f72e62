count = 0
4.times.map { Thread.new { /a#{count += 1}/o.source } }.map(&:value).uniq.size # => 1
Comparable.instance_method(:clamp).class # => UnboundMethod
