# Digest::SHA2: one class for the three lengths.
module Digest
  class SHA2 < Digest::Class
    def initialize(bitlen = 256)
      @sha2 =
        case bitlen
        when 256 then Digest::SHA256.new
        when 384 then Digest::SHA384.new
        when 512 then Digest::SHA512.new
        else raise ArgumentError, "unsupported bit length: %s" % bitlen.inspect
        end
      @bitlen = bitlen
    end

    def reset
      @sha2.reset
      self
    end

    def update(string)
      @sha2.update(string)
      self
    end
    alias << update

    def finish = @sha2.digest!
    private :finish

    def block_length = @sha2.block_length

    def digest_length = @sha2.digest_length

    def initialize_copy(other)
      @sha2 = other.instance_variable_get(:@sha2).clone
    end

    def inspect = "#<%s:%d %s>" % [self.class.name, @bitlen, hexdigest]
  end
end
