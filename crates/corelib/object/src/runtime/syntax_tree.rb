# Nodes of the `prism` library: which one a level of a backtrace runs, and what of one an error report points at.
module RubyVM::AbstractSyntaxTree
  # The number of the node in the tree that Prism makes of the same source; -1 when it is not known.
  def self.node_id_for_backtrace_location(location)
    source, first, stop = Primitive.location_piece(location)
    return -1 unless source
    require "prism"
    calls = assignments = nil
    queue = [Prism.parse(source).value]
    while (node = queue.shift)
      place = node.location
      next if place.start_offset > first || place.end_offset < stop
      case node
      when Prism::CallNode, Prism::ConstantReadNode, Prism::ConstantPathNode
        calls = node if __name_of_node(node, source) == [first, stop]
      when Prism::LocalVariableOperatorWriteNode, Prism::CallOperatorWriteNode, Prism::IndexOperatorWriteNode,
           Prism::ConstantPathOperatorWriteNode
        assignments = node
      end
      queue.concat(node.compact_child_nodes)
    end
    (calls || assignments)&.node_id || -1
  end

  # [source, first, end]: the name or the arguments of a node; nil when nothing can be pointed at,
  # false when it is no node.
  def self.__piece_of_node(node, arguments)
    return false unless defined?(Prism::Node) && Prism::Node === node
    source = node.__send__(:source).source
    # Which part of a path is meant tells the name that an error is about.
    return if Prism::ConstantPathNode === node
    first, stop = arguments ? __arguments_of_node(node) : __name_of_node(node, source)
    first && [source, first, stop]
  end

  def self.__name_of_node(node, source)
    case node
    when Prism::CallNode
      name, message, operator = node.name, node.message_loc, node.call_operator_loc
      return if name == :call && !message
      whole = message || operator || node.location
      first, stop = whole.start_offset, whole.end_offset
      first = operator.start_offset if operator && operator.start_line == whole.start_line
      if name.end_with?("=") && !message&.slice&.end_with?("=") && source.byteindex("=", stop)
        stop = source.byteindex("=", stop) + 1
      end
      [first, stop]
    when Prism::ConstantReadNode
      [node.location.start_offset, node.location.end_offset]
    when Prism::ConstantPathNode
      name, delimiter = node.name_loc, node.delimiter_loc
      [delimiter.start_line == name.start_line ? delimiter.start_offset : name.start_offset, name.end_offset]
    when Prism::LocalVariableOperatorWriteNode, Prism::CallOperatorWriteNode, Prism::IndexOperatorWriteNode,
         Prism::ConstantPathOperatorWriteNode
      operator = node.binary_operator_loc
      [operator.start_offset, operator.end_offset - 1]
    end
  end

  def self.__arguments_of_node(node)
    place =
      case node
      when Prism::CallNode then node.arguments&.location
      when Prism::ConstantReadNode then node.location
      when Prism::ConstantPathOperatorWriteNode then return __name_of_node(node, nil)
      when Prism::LocalVariableOperatorWriteNode, Prism::CallOperatorWriteNode then node.value.location
      when Prism::IndexOperatorWriteNode
        first = node.arguments ? node.arguments.location.start_offset : node.opening_loc.end_offset
        return [first, node.value.location.end_offset]
      end
    place && [place.start_offset, place.end_offset]
  end
end
