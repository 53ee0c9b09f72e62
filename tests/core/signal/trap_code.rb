# A handler may be a String of Ruby code: it runs at toplevel.
trap("USR1", "$seen = [self.to_s, __LINE__ > 0, __FILE__ == $0 || __FILE__]") # => "DEFAULT"
Process.kill("USR1", $$)
$seen.first(2) # => ["main", true]
trap(:USR1, :"$seen = :symbol") # => "$seen = [self.to_s, __LINE__ > 0, __FILE__ == $0 || __FILE__]"
Process.kill("USR1", $$)
$seen # => :symbol
trap("USR1", "raise 'from the handler'") # => "$seen = :symbol"
begin
  Process.kill("USR1", $$)
  sleep 1
rescue => e
  e.message # => "from the handler"
end
code = Object.new
def code.to_str = "$seen = :converted"
trap("USR1", code) # => "raise 'from the handler'"
Process.kill("USR1", $$)
$seen # => :converted
trap("USR1", "DEFAULT") # => "$seen = :converted"

SignalException.new("-EXIT") # raises ArgumentError: negative signal name: -EXIT
SignalException.new("-SIGINT") # raises ArgumentError: negative signal name: -SIGINT
Signal.list.keys.map(&:object_id) == Signal.list.keys.map(&:object_id) # => true
Signal.list.keys.all?(&:frozen?) # => true
trap("EXIT", "puts 'at the end'") # => nil
# prints: at the end
