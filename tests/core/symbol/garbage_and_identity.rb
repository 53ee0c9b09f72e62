"dynamic_#{1}".to_sym.equal?(:dynamic_1) # => true
%w[x y x].map(&:to_sym).uniq.size # => 2
:a.object_id == :a.object_id # => true
:a.hash == :a.hash # => true
