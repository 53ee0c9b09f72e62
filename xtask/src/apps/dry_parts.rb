apps_require "dry-types", "dry-configurable", "dry-container", "dry/inflector", "dry/logic"

module Types
  include Dry.Types()
end
name = Types::Strict::String.constrained(min_size: 2)
puts name["Ada"], Types::Coercible::Integer["12"], Types::Params::Bool["false"].inspect
["A", 3].each do |value|
  name[value]
rescue Dry::Types::CoercionError => error
  puts "#{error.class}: #{error.message}"
end
user = Types::Hash.schema(name: name, age?: Types::Params::Integer).with_key_transform(&:to_sym)
puts user["name" => "Ada", "age" => "36"].to_a.inspect
class Settings
  extend Dry::Configurable
  setting :port, default: 80, constructor: ->(value) { Integer(value) }
  setting :database do
    setting :url, default: "none"
  end
end
Settings.configure { |config| config.port = "8080"; config.database.url = "x" }
puts Settings.config.port, Settings.config.database.url
container = Dry::Container.new
container.register(:a) { [1] }
container.namespace(:b) { register(:c, memoize: true) { Object.new } }
puts container[:a].inspect, container["b.c"].equal?(container["b.c"]), container.keys.inspect
inflector = Dry::Inflector.new
puts %w[person query Box].map { |word| inflector.pluralize(word) }.inspect, inflector.underscore("HTTPServer")
