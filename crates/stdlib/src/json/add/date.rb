require "json"
require "date"

class Date
  def self.json_create(object) = civil(*object.values_at("y", "m", "d", "sg"))

  def as_json(*) = { JSON.create_id => self.class.name, "y" => year, "m" => month, "d" => day, "sg" => start }

  def to_json(*args) = as_json.to_json(*args)
end
