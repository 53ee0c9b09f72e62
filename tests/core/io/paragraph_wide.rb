# Paragraphs of texts in wide encodings; separators that do not go with the encoding.
results = %w[UTF-32BE UTF-32LE UTF-16BE UTF-16LE UTF-8].map do |name|
  IO.pipe do |reader, writer|
    reader.set_encoding(Encoding::US_ASCII, Encoding.find(name))
    writer.print("abc", "\n\n\n\n", "def", "\n")
    writer.close
    [reader.gets(""), reader.gets, reader.gets].map { |line| line&.encode("UTF-8") }
  end
end
results.uniq # => [["abc\n\n", "def\n", nil]]

IO.pipe("euc-jp") do |reader, writer|
  writer.puts "a"
  begin
    reader.gets("\u3042")
  rescue => e
    $failure = e
  end
end
$failure # => #<ArgumentError: encoding mismatch: EUC-JP IO with UTF-8 RS>
