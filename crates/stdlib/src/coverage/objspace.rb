# objspace: sizes, counts and descriptions of objects, and where they were made.

module ObjectSpace
  module_function

  def memsize_of_all(klass = nil)
    unless klass.nil? || klass.is_a?(Module)
      raise TypeError, "wrong argument type #{klass.class} (expected Class)"
    end
    sum = 0
    each_object(*klass) { |object| sum += memsize_of(object) }
    sum
  end

  def count_objects_size(result = {})
    raise TypeError, "non-hash given" unless result.is_a?(Hash)
    total = 0
    each_object do |object|
      type = :"T_#{__type_of(object)}"
      size = memsize_of(object)
      result[type] = (result[type] || 0) + size
      total += size
    end
    result[:TOTAL] = total
    result
  end

  # Objects whose content is the runtime's own, by class.
  def count_tdata_objects(result = {})
    raise TypeError, "non-hash given" unless result.is_a?(Hash)
    each_object do |object|
      next unless __type_of(object) == "DATA"
      klass = Kernel.instance_method(:class).bind_call(object)
      result[klass] = (result[klass] || 0) + 1
    end
    result
  end

  def __type_of(object)
    return "FILE" if IO === object
    Primitive.object_type(object)&.delete_prefix("T_") || "OBJECT"
  end

  # Writes a description of an object as JSON.
  def _dump(object, output)
    output << __describe(object)
  end

  # A line for each object. What is internal has none, nor has a slot that is free, so `full` changes nothing; shapes
  # belong to the runtime and are not described.
  def _dump_all(output, full, since = nil, shapes = nil)
    each_object { |object| output << __describe(object) << "\n" }
    output.flush if output.respond_to?(:flush)
    output
  end

  def _dump_shapes(output, since)
    output
  end

  def __describe(object)
    case object
    when nil then return "null"
    when true, false then return object.inspect
    when Symbol then return %({"type":"SYMBOL", "value":#{__quote(object.name)}})
    when Float
      # Those that fit into the word of a value; all others are objects.
      return format("%.5f", object) if object.eql?(0.0) || object.abs > 1.8e-77 && object.abs < 1.1e77
    when Integer then return object.inspect if object.bit_length < 63
    end
    cell = Primitive.object_cell(object)
    parts = { "address" => __quote(__address(object)), "type" => __quote(__type_of(object)),
              "slot_size" => cell[:slot_size],
              "class" => __quote(__address(Kernel.instance_method(:class).bind_call(object))) }
    parts["frozen"] = "true" if Kernel.instance_method(:frozen?).bind_call(object)
    %w[embedded fstring chilled].each { |name| parts[name] = "true" if cell[name.to_sym] }
    case object
    when String
      parts["bytesize"] = object.bytesize.to_s
      if object.valid_encoding?
        text = object.encoding == Encoding::UTF_8 ? object : (object.encode(Encoding::UTF_8) rescue nil)
        parts["value"] = __quote(String.new(text)) if text
      else
        parts["broken"] = "true"
      end
      parts["encoding"] = __quote(object.encoding.name) unless object.encoding == Encoding::BINARY
      parts["coderange"] = __quote(cell[:coderange])
    when Array then parts["length"] = object.length.to_s
    when Hash
      parts["size"] = object.size.to_s
    when Module
      name = Module.instance_method(:name).bind_call(object)
      parts["name"] = __quote(name) if name
      parts["superclass"] = __quote(__address(object.superclass)) if Class === object && object.superclass
    when Float
      parts["value"] = object.finite? ? object.to_s : __quote(object.nan? ? "NaN" : object > 0 ? "Inf" : "-Inf")
    when Integer then parts["value"] = object.to_s
    when IO
      number = (object.fileno unless object.closed?) rescue nil
      parts["fd"] = number.to_s if number
    end
    ivars = Kernel.instance_method(:instance_variables).bind_call(object).size
    parts["ivars"] = ivars.to_s if parts["type"] == '"OBJECT"'
    klass = Kernel.instance_method(:class).bind_call(object)
    references = (reachable_objects_from(object) || []).reject { |other| klass.equal?(other) }
    references = references.map { |other| __quote(__address(other)) }.uniq
    parts["references"] = "[#{references.join(", ")}]" unless references.empty?
    if (file = allocation_sourcefile(object))
      parts["file"] = __quote(file)
      parts["line"] = allocation_sourceline(object).to_s
      method = allocation_method_id(object)
      parts["method"] = __quote(method.name) if method
      parts["generation"] = allocation_generation(object).to_s
    end
    parts["memsize"] = memsize_of(object).to_s
    parts["flags"] = '{"old":true}' if cell[:old]
    "{" + parts.map { |key, value| %("#{key}":#{value}) }.join(", ") + "}"
  end

  def __address(object) = Kernel.instance_method(:to_s).bind_call(object)[/0x\h+/].sub(/x0+/, "x")

  def __quote(text)
    escaped = text.gsub(/["\\\x00-\x1f\x7f]/) do |char|
      case char
      when '"', "\\" then "\\#{char}"
      when "\n" then "\\n"
      when "\r" then "\\r"
      when "\t" then "\\t"
      when "\b" then "\\b"
      when "\f" then "\\f"
      else format("\\u%04x", char.ord)
      end
    end
    %("#{escaped}")
  end

  def trace_object_allocations
    trace_object_allocations_start
    begin
      yield
    ensure
      trace_object_allocations_stop
    end
  end

  def trace_object_allocations_debug_start = trace_object_allocations_start
end
