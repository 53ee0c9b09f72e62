autoload :Gem, "gem_prelude"

module Kernel
  private def gem(...)
    # RubyGems brings a method of its own.
    ::Kernel.__send__(:remove_method, :gem)
    _ = ::Gem
    ::Kernel.instance_method(:gem).bind_call(self, ...)
  end
end
