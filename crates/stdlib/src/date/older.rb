# What the library's date.rb adds to its native half, where the library is that of an older Ruby.

class Date
  VERSION = "3.5.1"

  def infinite? = false

  class Infinity < Numeric
    def initialize(d = 1)
      @d = d <=> 0
    end

    attr_reader :d
    protected :d

    def zero? = false
    def finite? = false
    def infinite? = d.nonzero?
    def nan? = d.zero?
    def abs = self.class.new
    def -@ = self.class.new(-d)
    def +@ = self.class.new(+d)

    def <=>(other)
      case other
      when Infinity then d <=> other.d
      when Float::INFINITY then d <=> 1
      when -Float::INFINITY then d <=> -1
      when Numeric then d
      else
        begin
          left, right = other.coerce(self)
          left <=> right
        rescue NoMethodError
          nil
        end
      end
    end

    def coerce(other)
      case other
      when Numeric then [-d, d]
      else super
      end
    end

    def to_f
      return 0 if @d == 0
      @d > 0 ? Float::INFINITY : -Float::INFINITY
    end
  end
end
