# Conversion errors that a program makes know nothing of any conversion.
readers = ->(error, names) { names.map { |name| error.public_send(name) }.uniq }
common = %i[source_encoding source_encoding_name destination_encoding destination_encoding_name]
readers.(Encoding::InvalidByteSequenceError.new, common + %i[error_bytes readagain_bytes incomplete_input?]) # => [nil]
readers.(Encoding::InvalidByteSequenceError.allocate, common + %i[error_bytes readagain_bytes incomplete_input?]) # => [nil]
readers.(Encoding::UndefinedConversionError.new, common + [:error_char]) # => [nil]
readers.(Class.new(Encoding::UndefinedConversionError).allocate, common + [:error_char]) # => [nil]
{Encoding::UndefinedConversionError.new.error_char => 1} # => {nil => 1}
