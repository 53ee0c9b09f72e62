# What random/formatter has since Ruby 3.3, beside the installed file of any version.
installed = $LOAD_PATH.map { |dir| File.join(dir.to_s, "random/formatter.rb") }.find { |path| File.file?(path) }
raise LoadError, "cannot load such file -- random/formatter" unless installed
load installed

module Random::Formatter
  unless method_defined?(:uuid_v4)
    def uuid_v4 = uuid
  end

  unless method_defined?(:uuid_v7)
    # RFC 9562, version 7: milliseconds since the epoch, up to 12 bits of their fraction, random bits.
    def uuid_v7(extra_timestamp_bits: 0)
      unless (0..12).cover?(extra_timestamp_bits)
        raise ArgumentError, "extra_timestamp_bits must be in 0..12"
      end
      milliseconds, rest = Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond).divmod(1_000_000)
      bits, low = random_bytes(10).unpack("nQ>")
      kept = 12 - extra_timestamp_bits
      fraction = (rest << extra_timestamp_bits) / 1_000_000
      high = 0x7000 | fraction << kept | bits & ((1 << kept) - 1)
      low = 0x8000_0000_0000_0000 | low & 0x3fff_ffff_ffff_ffff
      format("%08x-%04x-%04x-%04x-%012x", milliseconds >> 16, milliseconds & 0xffff, high, low >> 48,
             low & 0xffff_ffff_ffff)
    end
  end

  unless instance_method(:alphanumeric).parameters.include?([:key, :chars])
    def alphanumeric(length = nil, chars: ALPHANUMERIC) = choose(chars, length.nil? ? 16 : length)
  end
end
