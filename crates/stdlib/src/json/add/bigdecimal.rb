require "json"
require "bigdecimal"

class BigDecimal
  def self.json_create(object) = _load(object["b"])

  def as_json(*) = { JSON.create_id => self.class.name, "b" => _dump.force_encoding(Encoding::UTF_8) }

  def to_json(*args) = as_json.to_json(*args)
end
