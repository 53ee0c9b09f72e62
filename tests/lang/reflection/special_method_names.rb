def m = __method__
m # => :m
alias n m
n # => :m
define_method(:d) { __method__ } rescue self.class.send(:define_method, :d) { __method__ }
d # => :d
__method__ # => nil
def c = __callee__
alias cc c
cc # => :cc
def lines = [__LINE__, caller(0).first[/\d+/].to_i > 0]
lines # => [11, true]
def where = caller_locations(1, 1).first.lineno
where # => 14
def label = caller_locations(0, 1).first.label
label # => "Object#label"
def base = caller_locations(0, 1).first.base_label
base # => "base"
File.basename(__FILE__) # => "special_method_names.rb"
__dir__ == File.dirname(__FILE__) # => true
__ENCODING__ # => #<Encoding:UTF-8>
