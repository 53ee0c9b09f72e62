require "json"

class Time
  def self.json_create(object)
    microseconds = object.delete("u")
    object["n"] = microseconds * 1000 if microseconds
    at(object["s"], Rational(object["n"], 1000))
  end

  def as_json(*) = { JSON.create_id => self.class.name, "s" => tv_sec, "n" => tv_nsec }

  def to_json(*args) = as_json.to_json(*args)
end
