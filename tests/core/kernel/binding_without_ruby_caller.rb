# A Binding is that of Ruby code: what a native method calls has none.
method(:binding).call # raises RuntimeError: Cannot create Binding object for non-Ruby caller
Kernel.public_send(:binding) # raises RuntimeError: Cannot create Binding object for non-Ruby caller
Kernel.instance_method(:binding).bind_call(self) # raises RuntimeError: Cannot create Binding object for non-Ruby caller
(method(:binding).to_proc >> ->(b) { b }).call # raises RuntimeError: Cannot create Binding object for non-Ruby caller
instance_exec(&method(:binding)) # raises RuntimeError: Cannot create Binding object for non-Ruby caller
send(:binding).class # => Binding
__send__(:binding).class # => Binding
:binding.to_proc.call(Kernel).class # => Binding
Thread.new(&method(:binding)).tap { |thread| thread.report_on_exception = false }.value # raises RuntimeError: Can't create Binding Object on top of Fiber.
