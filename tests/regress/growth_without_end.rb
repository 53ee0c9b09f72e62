# What grows without end in little address space ends in NoMemoryError, and the program goes on: nothing that the
# runtime itself keeps ends the process.
# timeout: 300
require "rbconfig"
require "tmpdir"

PROGRAMS = {
  classes: "list = []; loop { list << Class.new }",
  inherited: "class Parent; def self.inherited(child) = Class.new(child); end; Class.new(Parent)",
  named: "i = 0; loop { Object.const_set(\"C\#{i += 1}\", Class.new) }",
  constants: "i = 0; loop { Object.const_set(\"C\#{i += 1}\", 1) }",
  aliases: "c = Class.new { def x = 1 }; i = 0; loop { c.alias_method(\"m\#{i += 1}\", :x) }",
  attributes: "c = Class.new; i = 0; loop { c.attr_accessor(\"m\#{i += 1}\") }",
  autoloads: "i = 0; loop { autoload(\"C\#{i += 1}\", \"/nonexistent\") }",
  class_variables: "i = 0; loop { Object.class_variable_set(\"@@a\#{i += 1}\", 1) }",
  bindings: "list = []; loop { list << binding }",
  backtraces: "list = []; loop { list << caller_locations(0) }",
  conditions: "list = []; loop { list << ConditionVariable.new }",
  converters: "list = []; loop { list << Encoding::Converter.new(\"utf-8\", \"utf-16\") }",
  nested: "list = []; loop { list = [list] }",
  permutations: "[*1..20].permutation.to_a",
  sequences: "list = []; loop { list << 1.step(10, 2) }",
  thread: "Thread.new { list = []; loop { list << ConditionVariable.new } }.tap { it.report_on_exception = false " \
          "}.join",
}
DIR = Dir.mktmpdir

def ends(source)
  path = File.join(DIR, "program.rb")
  File.write(path,
             "begin\n#{source}\nrescue NoMemoryError\n  $stdout.syswrite(\"no memory\\n\")\nend\nGC.start\n" \
             "$stdout.syswrite([1, 2].map(&:succ).inspect)\n")
  # A collection at each allocation would take hours.
  IO.popen([{ "RUBELLITE_STRESS" => nil }, RbConfig.ruby, path, rlimit_as: 260 << 20, err: %i[child out]], &:read)
end

PROGRAMS.to_h { |name, source| [name, ends(source)] }.reject { |_, said| said == "no memory\n[2, 3]" } # => {}

# What is garbage does not count: memory that is short is looked for first.
ends("200.times { Array.new(300_000) { +\"garbage\" } }; $stdout.syswrite(\"no \" \"memory\\n\")") # => "no memory\n[2, 3]"
# A limit that the program sets itself.
ends("Process.setrlimit(:AS, 230 << 20); list = []; loop { list << ConditionVariable.new }") # => "no memory\n[2, 3]"
