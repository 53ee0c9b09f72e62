module PageText
  def self.html(text)
    Redcarpet::Markdown.new(Redcarpet::Render::HTML, tables: true, autolink: true).render(text).html_safe
  end
end
