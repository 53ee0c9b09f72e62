# The old name of block_given?; RbConfig is there without require

def block? = iterator?
block? # => false
block? {} # => true
RbConfig::CONFIG.key?("ruby_version") # => true
Warning[:deprecated] = true
block? # => false
# stderr: warning: iterator? is deprecated; use block_given? instead
