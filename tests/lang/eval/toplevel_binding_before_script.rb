# Variables that a file required by -r gives to TOPLEVEL_BINDING stay there when the script adds its own.
require "tmpdir"
Dir.mktmpdir do |dir|
  before = File.join(dir, "before.rb")
  script = File.join(dir, "script.rb")
  File.write(before, "TOPLEVEL_BINDING.local_variable_set(:early, 1)\n")
  File.write(script, <<~RUBY)
    p TOPLEVEL_BINDING.local_variables.sort
    own = 2
    TOPLEVEL_BINDING.local_variable_set(:late, 3)
    p TOPLEVEL_BINDING.local_variables.sort, TOPLEVEL_BINDING.local_variable_get(:early), binding.local_variables.sort
    p [1].map { |x| x + own }, TOPLEVEL_BINDING.eval("early + own + late"), defined?(early)
  RUBY
  IO.popen([RbConfig.ruby, "-r", before, script], &:read) # => "[:early, :own]\n[:early, :late, :own]\n1\n[:early, :own]\n[3]\n6\nnil\n"
end
