require "ostruct"
require "json"
apps_require "graphql"

class Author < GraphQL::Schema::Object
  field :name, String, null: false
  field :age, Integer
end
class Book < GraphQL::Schema::Object
  field :title, String, null: false
  field :authors, [Author], null: false
  field :long_title, String, null: false do
    argument :times, Integer, required: false, default_value: 2
  end
  def long_title(times:) = object[:title] * times
end
class Query < GraphQL::Schema::Object
  field :books, [Book], null: false do
    argument :first, Integer, required: false
  end
  def books(first: nil)
    all = Array.new(20) { |n| { title: "Book #{n}", authors: Array.new(n % 3) { |m| { name: "A#{m}", age: m } } } }
    first ? all.first(first) : all
  end
end
class Schema < GraphQL::Schema
  query Query
end
puts Schema.to_definition
puts Schema.execute("{ books(first: 3) { title longTitle(times: 3) authors { name age } } }").to_h.to_json
puts Schema.execute("query($n: Int) { books(first: $n) { ...B } } fragment B on Book { t: title }",
                    variables: { "n" => 2 }).to_h.to_json
puts Schema.execute("{ books { nothing } }").to_h.to_json
puts Schema.execute("{ books { ").to_h.to_json
20.times { Schema.execute("{ books { title longTitle authors { name } } }") }
