# RDiscount: a Markdown text and how to render it.
class RDiscount
  VERSION = "2.2.7.3"

  attr_reader :text

  attr_accessor :smart, :filter_styles, :filter_html, :fold_lines, :footnotes, :generate_toc, :no_image, :no_links,
                :no_tables, :strict, :autolink, :safelink, :no_pseudo_protocols, :no_superscript, :no_strikethrough,
                :latex, :explicitlist, :md1compat

  def initialize(text, *extensions)
    @text = text
    extensions.each { |extension| send("#{extension}=", true) }
  end
end

Markdown = RDiscount unless defined? Markdown
