# Switches that set the same thing take effect in their order; what no Ruby knows is refused.
def ruby(*words, **env)
  IO.popen([env.transform_keys(&:to_s), RbConfig.ruby, *words, "-e",
            "p [$VERBOSE, Warning[:deprecated], Warning[:experimental]]", err: [:child, :out]], &:read)
end
ruby("-W:no-deprecated", "-w") # => "[true, true, true]\n"
ruby("-w", "-W:no-deprecated") # => "[true, false, true]\n"
ruby("-W:no-experimental", "-W2") # => "[true, true, true]\n"
ruby("-W:deprecated", "-W1") # => "[false, false, true]\n"
ruby("-W:deprecated", "-W0") # => "[nil, false, false]\n"
ruby("-W0", "-W:deprecated") # => "[nil, true, false]\n"
ruby("-W9").include?("invalid option -9") # => true
ruby("-T").include?("invalid option -T  (-h will show valid options) (RuntimeError)") # => true
ruby("--parser=other").include?("unknown parser other (RuntimeError)") # => true
ruby("--parser=prism") # => "[false, false, true]\n"
ruby("--backtrace-limit=-2").include?("wrong limit for backtrace length (RuntimeError)") # => true
ruby("-y") # => ""
ruby("--dump=other").lines.last # => "[false, false, true]\n"
gems = ["-e", "p defined?(Gem)"]
ruby(*gems, RUBYOPT: "--disable-gems").lines.first # => "nil\n"
ruby("--enable=gems", *gems, RUBYOPT: "--disable-gems").lines.first # => "\"constant\"\n"
ruby("--debug=frozen-string-literal", "-e", "p $DEBUG").lines.first # => "false\n"
