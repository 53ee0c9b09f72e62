# A destination with a limit is filled to its last byte; what replaces broken input stands in front of what was read
# again.
def pieces(from, to, text, limit, **options)
  converter, text, out = Encoding::Converter.new(from, to, **options), text.dup, []
  begin
    result = converter.primitive_convert(text, piece = +"", nil, limit)
    out << piece.bytes << text.bytesize
  end until result == :finished
  out
end
pieces("UTF-8", "EUC-JP", "a\u3042b", 1)          # => [[97], 1, [164], 1, [162], 0, [98], 0]
pieces("UTF-8", "UTF-16BE", "abc", 3)             # => [[0, 97, 0], 1, [98, 0, 99], 0]
pieces("UTF-8", "ISO-2022-JP", "\u3042b", 4)      # => [[27, 36, 66, 36], 1, [34, 27, 40, 66], 0, [98], 0]
pieces("", "", "a&b", 2, xml: :text)              # => [[97, 38], 1, [97, 109], 1, [112, 59], 0, [98], 0]
"\x92\xA1x".encode("ISO-2022-JP", "stateless-ISO-2022-JP", invalid: :replace).bytes # => [63, 120]
