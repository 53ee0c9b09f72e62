:upcase.to_proc.call # raises ArgumentError: no receiver given
:upcase.to_proc.call(1) # raises NoMethodError: undefined method 'upcase' for an instance of Integer
:+.to_proc.call(1, 2) # => 3
%w[a b].each_with_index.map(&:first) rescue $!.class # => NoMethodError
:nope.to_proc.call(nil) # raises NoMethodError: undefined method 'nope' for nil
