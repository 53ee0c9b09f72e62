# `Warning.warn` of a program gets the category only if it takes more than the text.
$said = []
module Warning
  def self.warn(message) = $said << message
end
Warning[:deprecated] = true
warn "text", category: :deprecated
$said # => ["text\n"]
eval '"literal" << "x"', nil, "t.rb", 7
$said.last # => "t.rb:7: warning: literal string will be frozen in the future (run with --debug-frozen-string-literal for more information)\n"

module Warning
  def self.warn(message, **options) = $said << [message, options]
end
warn "text", category: :deprecated
$said.last # => ["text\n", {category: :deprecated}]
warn "text"
$said.last # => ["text\n", {category: nil}]
