# instance_eval, method_missing, blocks and heredocs in a markup builder.
class Markup
  def initialize = (@out, @depth = [], 0)
  def self.build(&) = new.tap { |m| m.instance_eval(&) }.to_s
  def method_missing(tag, text = nil, **attributes, &block)
    list = attributes.map { |k, v| %( #{k}="#{v}") }.join
    if block
      @out << "#{"  " * @depth}<#{tag}#{list}>"
      @depth += 1
      instance_eval(&block)
      @depth -= 1
      @out << "#{"  " * @depth}</#{tag}>"
    else
      @out << "#{"  " * @depth}<#{tag}#{list}>#{text}</#{tag}>"
    end
  end
  def respond_to_missing?(*) = true
  def to_s = @out.join("\n")
end
puts Markup.build {
  html(lang: "en") do
    head { title "Hello" }
    body do
      %w[one two].each_with_index { |w, i| li w, id: i }
    end
  end
}
# prints: <html lang="en">
# prints:   <head>
# prints:     <title>Hello</title>
# prints:   </head>
# prints:   <body>
# prints:     <li id="0">one</li>
# prints:     <li id="1">two</li>
# prints:   </body>
# prints: </html>
