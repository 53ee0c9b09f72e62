# psych: how core classes are written whose members are no instance variables. Newer psychs bring this themselves.

require "psych/syntax_error"

class Set
  unless method_defined?(:encode_with)
    def encode_with(coder)
      coder["hash"] = to_h { |member| [member, true] }
    end

    def init_with(coder)
      replace(coder["hash"].keys)
    end
  end
end
