apps_require "rdoc"

require "rdoc/rdoc"
File.write("a.rb", <<'R')
# A *shop* with +things+. See Shop#buy and {a link}[http://a.b].
#
# = Heading
# * one
# * two
#   1. deep
#
#   code(1)
module Store
  # Holds
  class Shop < Object
    # The limit
    LIMIT = 10
    # Its name
    attr_accessor :name
    include Comparable
    # :call-seq:
    #   buy(what) -> true
    #
    # Buys.
    def buy(what, n = 1, *rest, key: 2, **more, &block) = true
    alias take buy
    def self.open(x) = yield(x) # opens
    def hidden; end # :nodoc:
    private def secret = nil
  end
end
R
File.write("README.md", "# Title\n\nText **bold** `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
options = RDoc::Options.load_options
options.parse(%w[--quiet --format=ri --op=ri --line-numbers a.rb README.md])
RDoc::RDoc.new.document(options)
store = RDoc::RI::Driver.new(RDoc::RI::Driver.process_args(%w[--no-pager --format=markdown -d ri --no-standard-docs]))
  .then { |driver| driver.stores.first }
store.load_cache
puts store.all_classes_and_modules.map(&:full_name).sort, store.module_names.sort
methods = store.instance_methods.map { |name, list| "#{name}: #{list.sort.join(" ")}" }
puts methods.sort, store.class_methods.inspect
text = "= H\n\nA _b_ *c* <tt>d</tt>\n\n* x\n* y\n\n  code\n\n[label] text\n"
puts RDoc::Markup::ToHtml.new(RDoc::Options.new).convert(text) rescue
  puts(RDoc::Markup::ToHtml.new(RDoc::Options.new, nil).convert("x"))
puts RDoc::Markdown.parse("# T\n\n1. a\n2. b\n\n> q\n\n```ruby\nx = 1\n```\n").accept(RDoc::Markup::ToRdoc.new)
