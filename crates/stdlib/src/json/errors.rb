module JSON
  VERSION = "2.18.0"
  VERSION_ARRAY = VERSION.split(".").map(&:to_i).freeze
  VERSION_MAJOR, VERSION_MINOR, VERSION_BUILD = VERSION_ARRAY
  private_constant :VERSION_ARRAY

  class JSONError < StandardError; end

  class ParserError < JSONError
    attr_reader :line, :column
  end

  class NestingError < ParserError; end

  class GeneratorError < JSONError
    attr_reader :invalid_object

    def initialize(message, invalid_object = nil)
      super(message)
      @invalid_object = invalid_object
    end

    def detailed_message(...)
      text = super
      @invalid_object.nil? ? text : "#{text}\nInvalid object: #{@invalid_object.inspect}"
    end
  end

  NaN = Float::NAN
  Infinity = Float::INFINITY
  MinusInfinity = -Infinity

  # Text that is JSON already.
  Fragment = Struct.new(:json) do
    def initialize(json)
      string = String.try_convert(json)
      raise TypeError, " no implicit conversion of #{json.class} into String" unless string
      super(string)
    end

    def to_json(state = nil, *)
      json
    end
  end

  module Ext
    class ParserConfig; end

    class Parser
      Config = ParserConfig
    end

    module Generator
      class State; end
      module GeneratorMethods; end
    end
  end
end
