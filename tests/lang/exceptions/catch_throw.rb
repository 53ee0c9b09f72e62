catch(:a) { throw :a, 1; 2 } # => 1
catch(:a) { 3 } # => 3
catch(:a) { throw :a } # => nil
catch { |tag| throw tag, 4 } # => 4
catch(:a) { catch(:b) { throw :a, 5 }; 6 } # => 5
throw :missing # raises UncaughtThrowError: uncaught throw :missing
throw :missing, 1 # raises UncaughtThrowError: uncaught throw :missing
