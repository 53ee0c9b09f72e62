# Code gives out the lines of its source when `RubyVM.keep_script_lines` is set.
RubyVM.keep_script_lines # => false
RubyVM::InstructionSequence.compile("1\n2").script_lines # => nil
RubyVM.keep_script_lines = true
kept = RubyVM::InstructionSequence.compile("1\n2")
kept.script_lines # => ["1\n", "2"]
RubyVM::InstructionSequence.of(eval("proc { 1 }")).script_lines # => ["proc { 1 }"]
RubyVM.keep_script_lines = nil
RubyVM.keep_script_lines # => false
kept.script_lines # => ["1\n", "2"]
