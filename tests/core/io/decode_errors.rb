# What does not convert is told when it is met, with its bytes; what comes behind it is read next.
def pipe(encodings, text, **options)
  reader, writer = IO.pipe(encodings, **options)
  writer.binmode
  writer.write(text)
  writer.close
  yield reader
ensure
  reader.close
end
def failing = (begin; yield; rescue EncodingError => e; [e.class, e.error_bytes]; end)
broken = "あい\x80うえ"
pipe("UTF-8:EUC-JP", broken) { |r| [r.getc, r.getc, failing { r.getc }, r.getc, r.getc, r.getc].map { |c| String === c ? c.encode("UTF-8") : c } } # => ["あ", "い", [Encoding::InvalidByteSequenceError, "\x80"], "う", "え", nil]
pipe("UTF-8:EUC-JP", broken) { |r| [failing { r.gets }, r.gets.encode("UTF-8")] } # => [[Encoding::InvalidByteSequenceError, "\x80"], "うえ"]
pipe("UTF-8:EUC-JP", broken) { |r| [failing { r.read }, r.read.encode("UTF-8")] } # => [[Encoding::InvalidByteSequenceError, "\x80"], "うえ"]
pipe("EUC-JP:UTF-8", "\xA1xyz".b) { |r| [failing { r.getc }, r.read(10)] } # => [[Encoding::InvalidByteSequenceError, "\xA1"], "xyz"]
pipe("UTF-8:EUC-JP", "あ\x82\xA0".b) { |r| [r.getc, r.set_encoding("Shift_JIS", "EUC-JP").getc].map { |c| c.encode("UTF-8") } } # => ["あ", "あ"]
pipe("UTF-8:EUC-JP", "あ\x82\xA0".b) { |r| [r.getc.encode("UTF-8"), r.set_encoding(nil).read.b] } # => ["あ", "\x82\xA0"]
# Encodings with states go on from string to string.
reader, writer = IO.pipe
writer.set_encoding("ISO-2022-JP")
writer << "あ" << "い"
writer.close
reader.read.b # => "\e$B$\"$$\e(B"
reader.close
# Wide encodings need binary mode.
File.open(__FILE__, "r:UTF-16LE") # raises ArgumentError: ASCII incompatible encoding needs binmode
File.open(__FILE__, "rb:UTF-16LE", &:external_encoding) # => #<Encoding:UTF-16LE>
File.foreach(__FILE__, open_args: ["r", encoding: "EUC-JP"]).first.encoding # => #<Encoding:EUC-JP>
Encoding::Converter.new("", "xml_attr_content_escape").convert("<\"&") # => "&lt;&quot;&amp;"
begin; "abc\xA4".encode("ISO-8859-1", "EUC-JP"); rescue => e; end
e.readagain_bytes # => nil
