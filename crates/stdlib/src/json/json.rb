module JSON
  module Ext
    class Parser
      def initialize(source, options = nil)
        @source = source
        @config = Config.new(options)
      end

      def source = @source.dup

      def parse = @config.parse(@source)
    end

    module Generator
      class State
        def initialize(options = nil)
          configure(options) if options && !options.empty?
        end

        def configure(options)
          unless Hash === options
            if options.respond_to?(:to_hash)
              options = options.to_hash
            elsif options.respond_to?(:to_h)
              options = options.to_h
            else
              raise TypeError, "can't convert #{options.class} into Hash"
            end
          end
          _configure(options)
        end
        alias merge configure

        def to_h
          options = {
            indent: indent, space: space, space_before: space_before, object_nl: object_nl, array_nl: array_nl,
            as_json: as_json, allow_nan: allow_nan?, ascii_only: ascii_only?, max_nesting: max_nesting,
            script_safe: script_safe?, strict: strict?, depth: depth, buffer_initial_length: buffer_initial_length,
            sort_keys: sort_keys
          }
          duplicate = allow_duplicate_key?
          options[:allow_duplicate_key] = duplicate unless duplicate.nil?
          instance_variables.each { |name| options[name[1..].to_sym] = instance_variable_get(name) }
          options
        end
        alias to_hash to_h

        def [](name)
          JSON.deprecation_warning("JSON::State#[] is deprecated and will be removed in json 3.0.0")
          return __send__(name) if respond_to?(name)
          instance_variable_get("@#{name}") if instance_variable_defined?("@#{name}")
        end

        def []=(name, value)
          JSON.deprecation_warning("JSON::State#[]= is deprecated and will be removed in json 3.0.0")
          writer = "#{name}="
          respond_to?(writer) ? __send__(writer, value) : instance_variable_set("@#{name}", value)
        end
      end
    end
  end

  autoload :GenericObject, "json/generic_object"

  # Options of reading that are built on `on_load`.
  module ParserOptions # :nodoc:
    def self.prepare(options)
      if options[:object_class] || options[:array_class]
        options = options.dup
        on_load = options[:on_load]
        if options[:object_class]
          on_load = filler(Hash, options[:object_class], on_load) { |object, (key, value)| object[key] = value }
        end
        if options[:array_class]
          on_load = filler(Array, options[:array_class], on_load) { |array, value| array << value }
        end
        options[:on_load] = on_load
      end
      options.fetch(:create_additions, false) == false ? options : with_additions(options)
    end

    # Moves what is read as a `from` into a new `into`.
    def self.filler(from, into, on_load, &add)
      lambda do |value|
        if from === value
          other = into.new
          value.each { |element| add.call(other, element) }
          value = other
        end
        on_load ? on_load.call(value) : value
      end
    end

    def self.with_additions(options)
      if options[:symbolize_names]
        raise ArgumentError, "options :symbolize_names and :create_additions cannot be  used in conjunction"
      end
      options = options.dup
      on_load = options[:on_load]
      options[:on_load] = lambda do |value|
        value = addition(value, options)
        on_load ? on_load.call(value) : value
      end
      options
    end

    def self.addition(value, options)
      additions = options.fetch(:create_additions, false)
      case value
      when String
        _, klass = options[:match_string]&.find { |pattern, _| pattern.match?(value) }
      when options[:object_class] || Hash
        if additions != false && (path = value[JSON.create_id])
          klass = constant(path)
          unless klass.respond_to?(:json_creatable?) ? klass.json_creatable? : klass.respond_to?(:json_create)
            klass = nil
          end
        end
      end
      return value unless klass
      warn_about_additions if additions.nil?
      klass.json_create(value)
    end

    def self.constant(path)
      Object.const_get(path)
    rescue NameError => error
      raise ArgumentError, "can't get const #{path}: #{error}"
    end

    def self.warn_about_additions
      JSON.deprecation_warning "JSON.load implicit support for `create_additions: true` is deprecated " \
        "and will be removed in 3.0, use JSON.unsafe_load or explicitly pass `create_additions: true`"
    end
    private_class_method :filler, :with_additions, :addition, :constant, :warn_about_additions
  end

  PARSE_L_OPTIONS = { max_nesting: false, allow_nan: true }.freeze
  PRETTY_GENERATE_OPTIONS = { indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" }.freeze
  private_constant :PARSE_L_OPTIONS, :PRETTY_GENERATE_OPTIONS

  class << self
    attr_reader :parser, :generator
    attr_accessor :state

    def deprecation_warning(message, uplevel = 3) # :nodoc:
      warn(message, uplevel: 2, category: :deprecated)
    end

    def [](object, options = nil)
      text = String.try_convert(object)
      text ? parse(text, options) : generate(object, options)
    end

    def parser=(parser)
      @parser = parser
      remove_const(:Parser) if const_defined?(:Parser, false)
      const_set(:Parser, parser)
    end

    # Gives the core classes the `to_json` of a generator.
    def generator=(generator)
      @generator = generator
      if generator.const_defined?(:GeneratorMethods)
        methods = generator::GeneratorMethods
        methods.constants.each { |name| Object.const_get(name).include(methods.const_get(name)) }
      end
      self.state = generator::State
      remove_const(:State) if const_defined?(:State, false)
      const_set(:State, state)
    end

    def create_id=(name)
      Thread.current[:"JSON.create_id"] = name.dup.freeze
    end

    def create_id
      Thread.current[:"JSON.create_id"] || "json_class"
    end

    private def on_mixed_keys_hash(hash, refuse)
      seen = {}
      hash.each_key do |key|
        text = key.to_s
        if seen[text]
          message = "detected duplicate key #{text.inspect} in #{hash.inspect}"
          raise GeneratorError, message if refuse
          deprecation_warning("#{message}.\nThis will raise an error in json 3.0 unless enabled via " \
                              "`allow_duplicate_key: true`")
        end
        seen[text] = true
      end
    end

    %i[unsafe_load_default_options load_default_options dump_default_options].each do |name|
      define_method(name) do
        warn("JSON.#{name} is deprecated and will be removed in json 3.0.0", uplevel: 1, category: :deprecated)
        instance_variable_get(:"@#{name}")
      end
      define_method(:"#{name}=") do |options|
        warn("JSON.#{name}= is deprecated and will be removed in json 3.0.0", uplevel: 1, category: :deprecated)
        instance_variable_set(:"@#{name}", options)
      end
      define_method(:"_#{name}") { instance_variable_get(:"@#{name}") }
    end

    private def const_missing(name)
      return super unless name == :PRETTY_STATE_PROTOTYPE
      warn("JSON::PRETTY_STATE_PROTOTYPE is deprecated and will be removed in json 3.0.0, " \
           "just use JSON.pretty_generate", uplevel: 1, category: :deprecated)
      state.new(PRETTY_GENERATE_OPTIONS)
    end
  end

  @unsafe_load_default_options = { max_nesting: false, allow_nan: true, allow_blank: true, create_additions: true }
  @load_default_options = { allow_nan: true, allow_blank: true, create_additions: nil }
  @dump_default_options = { max_nesting: false, allow_nan: true }

  def parse(source, options = nil)
    options = ParserOptions.prepare(options) unless options.nil?
    Parser.parse(source, options)
  end

  def parse!(source, options = nil)
    parse(source, options ? PARSE_L_OPTIONS.merge(options) : PARSE_L_OPTIONS)
  end

  def load_file(path, options = nil)
    parse(File.read(path, encoding: Encoding::UTF_8), options)
  end

  def load_file!(path, options = nil)
    parse!(File.read(path, encoding: Encoding::UTF_8), options)
  end

  def generate(object, options = nil)
    State === options ? options.generate(object) : State.generate(object, options, nil)
  end

  def pretty_generate(object, options = nil)
    return options.generate(object) if State === options
    return State.generate(object, PRETTY_GENERATE_OPTIONS, nil) unless options
    unless Hash === options
      if options.respond_to?(:to_hash)
        options = options.to_hash
      elsif options.respond_to?(:to_h)
        options = options.to_h
      else
        raise TypeError, "can't convert #{options.class} into Hash"
      end
    end
    State.generate(object, PRETTY_GENERATE_OPTIONS.merge(options), nil)
  end

  { fast_generate: :generate, unparse: :generate, fast_unparse: :generate, pretty_unparse: :pretty_generate,
    restore: :load }.each do |old, new|
    define_method(old) do |*args, &block|
      warn("JSON.#{old} is deprecated and will be removed in json 3.0.0, just use JSON.#{new}", uplevel: 1,
           category: :deprecated)
      JSON.__send__(new, *args, &block)
    end
  end

  def unsafe_load(source, proc = nil, options = nil)
    JSON.__send__(:load_with, JSON._unsafe_load_default_options, source, proc, options)
  end

  def load(source, proc = nil, options = nil)
    JSON.__send__(:load_with, JSON._load_default_options, source, proc, options)
  end

  def self.load_with(defaults, source, proc, options)
    proc, options = nil, proc if options.nil? && Hash === proc
    options = options ? defaults.merge(options) : defaults
    unless String === source
      if source.respond_to?(:to_str)
        source = source.to_str
      elsif source.respond_to?(:to_io)
        source = source.to_io.read
      elsif source.respond_to?(:read)
        source = source.read
      end
    end
    source = "null" if options[:allow_blank] && (source.nil? || String === source && source.empty?)
    options = options.merge(on_load: proc.to_proc) if proc
    parse(source, options)
  end
  private_class_method :load_with

  def dump(object, io = nil, limit = nil, options = nil)
    if options.nil?
      if limit.nil?
        io, options = nil, io if Hash === io
      elsif Hash === limit
        limit, options = nil, limit
      end
    end
    unless io.nil?
      if io.respond_to?(:to_io)
        io = io.to_io
      elsif limit.nil? && !io.respond_to?(:write)
        io, limit = nil, io
      end
    end
    all = JSON._dump_default_options
    all = all.merge(max_nesting: limit) if limit
    all = all.merge(options) if options
    begin
      State.generate(object, all, io)
    rescue NestingError
      raise ArgumentError, "exceed depth limit"
    end
  end

  module_function :parse, :parse!, :load_file, :load_file!, :generate, :pretty_generate, :fast_generate, :unparse,
                  :fast_unparse, :pretty_unparse, :restore, :unsafe_load, :load, :dump

  # Reads and writes with options of its own.
  class Coder
    def initialize(options = nil, &as_json)
      options = options ? options.merge(strict: true) : { strict: true }
      options[:as_json] = as_json if as_json
      @state = State.new(options).freeze
      @parser_config = Ext::ParserConfig.new(ParserOptions.prepare(options)).freeze
    end

    def dump(object, io = nil) = @state.generate(object, io)
    alias generate dump

    def load(source) = @parser_config.parse(source)
    alias parse load

    def load_file(path) = load(File.read(path, encoding: Encoding::UTF_8))
  end

  self.parser = Ext::Parser
  self.generator = Ext::Generator
  JSON_LOADED = true
end

module Kernel
  def j(*objects)
    warn("Kernel#j is deprecated and will be removed in json 3.0.0", uplevel: 1, category: :deprecated)
    objects.each { |object| puts JSON.generate(object, allow_nan: true, max_nesting: false) }
    nil
  end

  def jj(*objects)
    warn("Kernel#jj is deprecated and will be removed in json 3.0.0", uplevel: 1, category: :deprecated)
    objects.each { |object| puts JSON.pretty_generate(object, allow_nan: true, max_nesting: false) }
    nil
  end

  def JSON(object, options = nil) = JSON[object, options]

  private :j, :jj, :JSON
end
