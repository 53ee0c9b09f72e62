def kind(x)
  case x
  when Integer, Float then :number
  when "a".."f" then :early
  when /^z/ then :zed
  when ->(v) { v.respond_to?(:each) } then :many
  when nil then :nothing
  else :other
  end
end
kind(1) # => :number
kind(2.0) # => :number
kind("c") # => :early
kind("zoo") # => :zed
kind([]) # => :many
kind(nil) # => :nothing
kind(:s) # => :other
list = [1, 2]
(case 2 when *list then :in else :out end) # => :in
(case when 1 > 2 then :a when 2 > 1 then :b end) # => :b
(case 9 when 1 then 2 end) # => nil
