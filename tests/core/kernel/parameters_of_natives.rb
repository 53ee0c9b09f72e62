# Native methods that Ruby documents with keywords tell them.
method(:warn).parameters # => [[:rest, :msgs], [:key, :uplevel], [:key, :category]]
method(:Integer).parameters # => [[:req, :arg], [:opt, :base], [:key, :exception]]
[].method(:sample).parameters # => [[:opt, :n], [:key, :random]]
Time.method(:now).parameters # => [[:key, :in]]
[].method(:push).parameters # => [[:rest]]
RubyVM::AbstractSyntaxTree.of(proc { }) # raises RuntimeError: cannot get AST for ISEQ compiled by prism
