apps_require "virtus"

class U
  include Virtus.model
  attribute :name, String
  attribute :age, Integer, default: 3
  attribute :tags, Array[Symbol]
  attribute :at, DateTime
end
u = U.new(name: 1, age: "12", tags: %w[a b], at: "2024-01-01"); p u.attributes
class V; include Virtus.model(strict: true); attribute :n, Integer; attribute :u, U; end
told { V.new(n: "x") }
p V.new(n: "3", u: { name: "q" }).u.name
class Pt; include Virtus.value_object; values { attribute :x, Integer }; end
p Pt.new(x: 1) == Pt.new(x: "1"), Pt.new(x: 1).hash == Pt.new(x: 1).hash
