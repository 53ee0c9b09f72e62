# Who calls an undefined `method_missing` names no method.

class Bare
  undef_method :method_missing
end
Bare.new.method_missing # raises ArgumentError: no method name given
Bare.new.other # raises NoMethodError: undefined method 'other' for an instance of Bare
Bare.new.method_missing(:other) # raises NoMethodError: undefined method 'other' for an instance of Bare
