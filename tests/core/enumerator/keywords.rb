# Keywords pass through generators and yielders.
generator = Enumerator::Generator
generator.new { |y| y.yield(a: 1) }.each { |a:| a } # => 1
generator.new { |y, **options| options }.each(b: 1) # => {b: 1}
generator.new { |y, list| list }.each({ b: 1 }) # => {b: 1}
generator.new { |y| 5 }.each # => 5
generator.new { |y| y << 1 }.each # raises LocalJumpError
Object.new.to_enum(:each, 1, c: 2) { |*args, **options| [args, options] }.size # => [[1], {c: 2}]
