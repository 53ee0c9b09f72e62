require "json"
require "ostruct"

# An OpenStruct that documents can be read into and written from.
class JSON::GenericObject < OpenStruct
  @json_creatable = false

  class << self
    alias [] new

    attr_writer :json_creatable

    def json_creatable? = @json_creatable

    def json_create(data) = self[data.reject { |key, _| key == JSON.create_id }]

    # A structure of hashes and arrays with objects in the place of the hashes.
    def from_hash(data)
      if data.respond_to?(:to_hash)
        data.to_hash.each_with_object(new) { |(key, value), object| object[key] = from_hash(value) }
      elsif data.respond_to?(:to_ary)
        data.to_ary.map { |element| from_hash(element) }
      else
        data
      end
    end

    def load(source, proc = nil, opts = {}) = JSON.load(source, proc, opts.merge(object_class: self)) || new

    def dump(object, *args) = JSON.dump(object, *args)
  end

  def to_hash = table

  def |(other) = self.class[other.to_hash.merge(to_hash)]

  def as_json(*) = { JSON.create_id => self.class.name }.merge(to_hash)

  def to_json(*args) = as_json.to_json(*args)
end
