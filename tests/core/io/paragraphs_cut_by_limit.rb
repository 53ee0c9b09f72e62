# Newlines behind a paragraph are swallowed where a limit ends it, too; other lines leave what is behind their limit.
require "tempfile"
PATH = Tempfile.create("paragraphs").path
def lines(text, *how, **options)
  File.binwrite(PATH, text)
  File.open(PATH) do |file|
    found = []
    while (line = file.gets(*how, **options))
      found << [line, file.pos]
    end
    [*found, file.lineno]
  end
end
TEXT = "ab\n\n\ncd\n"
lines(TEXT, "", 1) # => [["a", 1], ["b", 5], ["c", 6], ["d", 8], 0]
lines(TEXT, "", 2) # => [["ab", 5], ["cd", 8], 0]
lines(TEXT, "", 3) # => [["ab\n", 5], ["cd\n", 8], 0]
lines(TEXT, "", 4) # => [["ab\n\n", 5], ["cd\n", 8], 2]
lines(TEXT, "", 5) # => [["ab\n\n", 5], ["cd\n", 8], 2]
lines(TEXT, "", 2, chomp: true) # => [["ab", 5], ["cd", 8], 0]
lines(TEXT, "", 3, chomp: true) # => [["ab\n", 5], ["cd\n", 8], 0]
lines(TEXT, "", 4, chomp: true) # => [["ab", 5], ["cd\n", 8], 2]
lines(TEXT, 2, chomp: true) # => [["ab", 2], ["", 3], ["", 4], ["", 5], ["cd", 7], ["", 8], 4]
lines(TEXT, 3, chomp: true) # => [["ab", 3], ["", 4], ["", 5], ["cd", 8], 4]
lines("ä\n\n\n\nö", "", 1) # => [["ä", 6], ["ö", 8], 0]
lines("ab\r\n\r\n\ncd", "", 3) # => [["ab\r", 4], ["\r\n\n", 7], ["cd", 9], 2]
lines("ab\r\n\r\n\ncd", 2, chomp: true) # => [["ab", 2], ["", 4], ["", 6], ["", 7], ["cd", 9], 3]
lines("ab\n\n\n", "", 2) # => [["ab", 5], 0]
File.delete(PATH)
