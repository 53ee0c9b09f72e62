require "json"

class Symbol
  def self.json_create(object) = object["s"].to_sym

  def as_json(*) = { JSON.create_id => self.class.name, "s" => to_s }

  def to_json(state = nil, *rest)
    state = JSON::State.from_state(state)
    state.strict? ? super : as_json.to_json(state, *rest)
  end
end
