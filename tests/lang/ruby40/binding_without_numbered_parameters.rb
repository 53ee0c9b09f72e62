# needs: 4.0
[5].each { _1; $names = binding.local_variables }
$names.include?(:_1) # => false
