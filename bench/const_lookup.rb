# Constants: lexical, inherited, nested, top level; class variables and global variables.
TOP = 1

module Outer
  MIDDLE = 2

  class Base
    INHERITED = 3
    @@class_variable = 0
  end

  class Derived < Base
    OWN = 4

    def run(times)
      sum = i = 0
      while i < times
        sum += TOP + MIDDLE + INHERITED + OWN
        sum += Outer::MIDDLE + ::TOP + Outer::Base::INHERITED
        @@class_variable += 1
        $global += OWN
        i += 1
      end
      sum + @@class_variable
    end
  end
end

$global = 0
puts Outer::Derived.new.run(7_000_000), $global
