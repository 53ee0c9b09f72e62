class IO
  class Buffer
    class LockedError < RuntimeError; end
    class AllocationError < RuntimeError; end
    class AccessError < RuntimeError; end
    class InvalidatedError < RuntimeError; end
    class MaskError < ArgumentError; end

    def get_values(types, offset)
      raise ArgumentError, "Argument buffer_types should be an array!" unless Array === types
      types.map do |type|
        value = get_value(type, offset)
        offset += Buffer.size_of(type)
        value
      end
    end

    def set_values(types, offset, values)
      raise ArgumentError, "Argument buffer_types should be an array!" unless Array === types
      raise ArgumentError, "Argument values should be an array!" unless Array === values
      unless types.size == values.size
        raise ArgumentError, "Argument buffer_types and values should have the same length!"
      end
      types.each_with_index { |type, i| offset = set_value(type, offset, values[i]) }
      offset
    end

    def each(type = :U8, offset = 0, count = nil)
      return to_enum(:each, type, offset, *count) unless block_given?
      width = Buffer.size_of(type)
      __count(offset, count, width).times do |i|
        at = offset + i * width
        yield at, get_value(type, at)
      end
      self
    end

    def values(type = :U8, offset = 0, count = nil)
      width = Buffer.size_of(type)
      Array.new(__count(offset, count, width)) { |i| get_value(type, offset + i * width) }
    end

    def each_byte(offset = 0, count = nil)
      return to_enum(:each_byte, offset, *count) unless block_given?
      count = __count(offset, count, 1)
      raise ArgumentError, "Specified offset+count is bigger than the buffer size!" if offset + count > size
      count.times { |i| yield get_value(:U8, offset + i) }
      self
    end

    private def __count(offset, count, width)
      raise ArgumentError, "Offset can't be negative!" if offset < 0
      if count
        raise ArgumentError, "Count can't be negative!" if count < 0
        return count
      end
      raise ArgumentError, "The given offset is bigger than the buffer size!" if offset > size
      (size - offset) / width
    end
  end
end
