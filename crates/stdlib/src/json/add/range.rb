require "json"

class Range
  def self.json_create(object) = new(*object["a"])

  def as_json(*) = { JSON.create_id => self.class.name, "a" => [first, last, exclude_end?] }

  def to_json(*args) = as_json.to_json(*args)
end
