# Methods that nobody has called yet cost what their code costs: call sites, caches and literals come with the first
# call.
require "tempfile"

def memory = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i * 1024

def loaded(first, count)
  Tempfile.create(["methods", ".rb"]) do |file|
    count.times do |i|
      file.write <<~RUBY
        def method_#{first + i}(list, other = 1, key: 2)
          return other if list.empty?
          sum = list.map { |item| item.size + other + key }.sum
          puts "#\{sum} of #\{list.size}" if $VERBOSE
          [sum, format("%d", sum), :symbol, "a literal string that is long", other.to_s]
        end
      RUBY
    end
    file.close
    load file.path
  end
end

10.times { |part| loaded(100 * part, 100) }
GC.start
before = memory
30.times { |part| loaded(1000 + 100 * part, 100) }
GC.start
each = (memory - before) / 3000
each < 5_500 # => true
method_3500([1.5, "two"]) # raises NoMethodError
method_3999([]) # => 1
method_3999(["one"], key: 5) # => [9, "9", :symbol, "a literal string that is long", "1"]
method_3999(["one"], key: 5).equal?(method_3999(["one"], key: 5)) # => false
