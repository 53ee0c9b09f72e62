# needs: 4.0
class Account
  def initialize = (@name, @secret = "ann", "xyz")
  private def instance_variables_to_inspect = [:@name]
end
Account.new.inspect.sub(/0x\h+/, "0x") # => "#<Account:0x @name=\"ann\">"
