require "json"

class String
  def self.json_create(object) = object["raw"].pack("C*")

  def to_json_raw_object = { JSON.create_id => self.class.name, "raw" => bytes }

  def to_json_raw(...) = to_json_raw_object.to_json(...)
end
