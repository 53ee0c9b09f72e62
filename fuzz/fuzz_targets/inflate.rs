//! `Zlib::Inflate` of arbitrary bytes, whole and in pieces.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) do
    require 'zlib'
    begin
        Zlib::Inflate.new(Zlib::MAX_WBITS + 32).inflate(input) { |piece| raise 'enough' if (@total = @total.to_i + piece.size) > 1 << 24 }
    rescue StandardError
    end
    @total = 0
    stream = Zlib::Inflate.new(input.getbyte(0).to_i.odd? ? -Zlib::MAX_WBITS : Zlib::MAX_WBITS)
    input.bytes.each_slice(1 + input.size / 7) { |part| stream << part.pack('C*') }
    stream.finish
    stream.close
end
"#;
