apps_require "yard"

File.write("a.rb", <<~RUBY)
  # A shop.
  # @example
  #   Shop.new(1).sell("a")
  class Shop < Object
    # @return [Integer] how many
    attr_reader :count
    # @param count [Integer] how many
    def initialize(count) = @count = count
    # Sells something.
    # @param [String] name what
    # @yield [price] its price
    # @return [Boolean] whether it could
    # @raise [ArgumentError] never
    def sell(name, price: 1.0, **rest, &block) = true
    class << self
      # @deprecated
      def open = new(0)
    end
    # Kinds
    KINDS = %w[a b].freeze
  end
RUBY
YARD::Logger.instance.level = Logger::ERROR rescue nil
YARD.parse("a.rb")
YARD::Registry.all.sort_by(&:path).each do |object|
  puts "#{object.type} #{object.path} #{object.signature if object.respond_to?(:signature)}: " \
       "#{object.docstring.summary} #{object.tags.map { |tag| [tag.tag_name, tag.types, tag.name, tag.text] }}"
end
YARD::CLI::Yardoc.run("--quiet", "--no-stats", "-o", "doc", "a.rb")
puts Dir["doc/**/*.html"].sort,
     File.read("doc/Shop.html").gsub(/Generated on.*/, "").gsub(/yard-[\d.]+|\(ruby-[\d.]+\)|ruby-[\d.]+/, "")
       .bytesize > 1000
