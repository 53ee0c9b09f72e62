# objspace: sizes and counts of objects. Where objects were allocated is not recorded: the methods that ask for it say
# that they do not know.

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

  def __type_of(object)
    case object
    when Class then "CLASS"
    when Module then "MODULE"
    when String then "STRING"
    when Array then "ARRAY"
    when Hash then "HASH"
    when Float then "FLOAT"
    when Integer then "BIGNUM"
    when Regexp then "REGEXP"
    when MatchData then "MATCH"
    when Struct then "STRUCT"
    when Rational then "RATIONAL"
    when Complex then "COMPLEX"
    when IO then "FILE"
    when Proc, Range, Method then "DATA"
    else "OBJECT"
    end
  end

  def trace_object_allocations
    yield
  end

  def trace_object_allocations_start = nil
  def trace_object_allocations_stop = nil
  def trace_object_allocations_clear = nil
  def allocation_sourcefile(object) = nil
  def allocation_sourceline(object) = nil
  def allocation_class_path(object) = nil
  def allocation_method_id(object) = nil
  def allocation_generation(object) = nil
end
