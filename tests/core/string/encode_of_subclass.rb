# A String of a subclass is encoded as one.
class Page < String; end

page = Page.new("é")
page.instance_variable_set(:@name, 1)
page.encode("UTF-16LE").class                              # => Page
page.encode("UTF-16LE").instance_variables                 # => []
page.encode("UTF-8").class                                 # => Page
page.encode(xml: :attr)                                    # => "\"é\""
page.encode(xml: :attr).class                              # => Page
Page.new("a").encode("US-ASCII").encoding                  # => #<Encoding:US-ASCII>
Page.new("a\r\n").encode(universal_newline: true).class    # => Page
page.b.class                                               # => String
class << page; def own = 1; end
page.encode("UTF-16LE").respond_to?(:own)                  # => false
