# Talking to programs: reads until what comes fits a pattern.

$expect_verbose = false

class IO
  # Reads characters until their text fits `pattern`, a String or a Regexp. Returns, or yields, the text and what the
  # groups of the pattern matched; nil when `timeout` seconds pass without a character, or nothing more comes. What was
  # read in vain is there for the next call.
  def expect(pattern, timeout = 9_999_999)
    pattern = Regexp.new(Regexp.quote(pattern)) if String === pattern
    text = +""
    waiting = @__not_expected || +""
    @__not_expected = nil
    result = nil
    until result
      if waiting.empty?
        break @__not_expected = text unless IO.select([self], nil, nil, timeout) && !eof?
        character = getc
      else
        character = waiting.slice!(0)
      end
      text << character
      if $expect_verbose
        $stdout.print(character)
        $stdout.flush
      end
      match = pattern.match(text) and result = [text, *match.captures]
    end
    @__not_expected = waiting if result && !waiting.empty?
    return result unless block_given?
    yield result
    nil
  end
end
