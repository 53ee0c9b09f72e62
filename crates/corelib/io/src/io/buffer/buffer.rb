class IO
  class Buffer
    class LockedError < RuntimeError; end
    class AllocationError < RuntimeError; end
    class AccessError < RuntimeError; end
    class InvalidatedError < RuntimeError; end
    class MaskError < ArgumentError; end

    def each(type = :U8, offset = nil, count = nil, &)
      return to_enum(:each, type, *offset, *count) unless block_given?
      Primitive.buffer_each(self, type, offset, count, &)
    end

    def each_byte(offset = nil, count = nil, &)
      return to_enum(:each_byte, *offset, *count) unless block_given?
      Primitive.buffer_each_byte(self, offset, count, &)
    end
  end
end
