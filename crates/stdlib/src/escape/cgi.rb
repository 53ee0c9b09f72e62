class CGI
  module Util
    prepend Escape
  end

  module Escape
    # Older libraries have it in the other module, and it must be in one alone.
    @@accept_charset = Encoding::UTF_8 unless Util.class_variable_defined?(:@@accept_charset)

    alias h escapeHTML
    alias escape_html escapeHTML
    alias unescape_html unescapeHTML

    def escapeElement(string, *elements) = __elements(string, elements, "<", "[^<>]*+>?") { |tag| CGI.escapeHTML(tag) }

    def unescapeElement(string, *elements)
      __elements(string, elements, "&lt;", "(?>[^&]+|&(?![gl]t;)\\w+;)*(?:&gt;)?") { |tag| unescapeHTML(tag) }
    end

    alias escape_element escapeElement
    alias unescape_element unescapeElement

    # Replaces the tags of these elements; a tag ends where the next begins, if not before.
    private def __elements(string, elements, open, rest, &block)
      elements = elements[0] if Array === elements[0]
      return string if elements.empty?
      string.gsub(/#{open}\/?(?:#{elements.join("|")})(?!\w)#{rest}/i, &block)
    end

    private

    # Text in an encoding that does not extend ASCII goes through one that does.
    def __through(string)
      encoding = string.encoding
      other = Encoding::Converter.asciicompat_encoding(encoding) || Encoding::UTF_8
      yield(string.encode(other)).encode(encoding)
    end

    def __escapeHTML(string) = __through(string) { |text| escapeHTML(text) }

    def __unescapeHTML(string) = __through(string) { |text| unescapeHTML(text) }
  end

  include Util
  extend Util
  extend Escape
end
