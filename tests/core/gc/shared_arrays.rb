# Arrays that share their elements with others are memory like any other: programs that make many of them collect.
resident = -> { File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i }

makers = {
  drop: ->(list) { list.drop(5) }, first: ->(list) { list.first(900) }, dup: ->(list) { list.dup },
  replace: ->(list) { [].replace(list) }, splat: ->(list) { _, *rest = list; rest },
  slices: ->(list) { list.each_slice(500).to_a },
  insert: ->(list) { [1].insert(1, *list) }, part: ->(list) { a = [0]; a[1, 0] = list; a },
}
before = resident.()
grown = makers.map do |name, maker|
  5_000.times { |i| maker.(Array.new(1_000, i)) }
  resident.() - before < 60_000 ? nil : [name, resident.() - before]
end
grown.compact # => []
makers.transform_values { |maker| maker.([1, 2, 3] * 400).flatten.sum } # => {drop: 2391, first: 1800, dup: 2400, replace: 2400, splat: 2399, slices: 2400, insert: 2401, part: 2400}
