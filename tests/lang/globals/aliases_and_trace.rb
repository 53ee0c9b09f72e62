$a_global = 1
alias $b_global $a_global
$b_global = 2
$a_global # => 2
global_variables.include?(:$a_global) # => true
global_variables.include?(:$stdout) # => true
defined?($a_global) # => "global-variable"
seen = []
trace_var(:$a_global) { |v| seen << v }
$a_global = 3
untrace_var(:$a_global)
$a_global = 4
seen # => [3]
