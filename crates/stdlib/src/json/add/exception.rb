require "json"

class Exception
  def self.json_create(object) = new(object["m"]).tap { |error| error.set_backtrace(object["b"]) }

  def as_json(*) = { JSON.create_id => self.class.name, "m" => message, "b" => backtrace }

  def to_json(*args) = as_json.to_json(*args)
end
