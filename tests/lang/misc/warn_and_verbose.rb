# stderr: a warning
warn "a warning"
warn "x", category: :deprecated
warn # => nil
$VERBOSE = nil
warn "silent"
Warning[:experimental] # => true

# Whether the runtime warns is not asked of a method.
$VERBOSE = false
asked = []
Warning.singleton_class.prepend(Module.new { define_method(:[]) { |category| asked << category; super(category) } })
def Warning.warn(text, category: nil) = $heard = [text[/literal string/], category]
eval('"abc"') << "d" # => "abcd"
asked # => []
$heard # => nil
Warning[:deprecated] = true
eval('"abc"') << "d" # => "abcd"
asked # => []
$heard # => ["literal string", :deprecated]
