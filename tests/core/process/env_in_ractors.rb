# Instance variables of ENV, which all ractors share, are the main one's.
Warning[:experimental] = false
ENV.instance_eval { @a = "hello" }
ENV.instance_eval { @a } # => "hello"
said = Ractor.new { ENV.instance_eval { @a } rescue $!.message }
said.value # => "can not access instance variables of shareable objects from non-main Ractors"
said = Ractor.new { ENV.instance_eval { @b = 1 } rescue $!.class }
said.value # => Ractor::IsolationError
