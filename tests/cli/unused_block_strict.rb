# flags: -W:strict_unused_block
# needs: 4.0
class Yields
  def shared = yield
end
class Ignores
  def shared = 1
end
Ignores.new.shared {}
# stderr: unused_block_strict.rb:9: warning: the block passed to 'Ignores#shared' defined at
