# Libraries that are files in Ruby say where their methods are; native code of the core does not.
require "monitor"
place = MonitorMixin.instance_method(:synchronize).source_location
[place[0].class, place[1].positive?] # => [String, true]
MonitorMixin.instance_methods(false).map { |name| MonitorMixin.instance_method(name).source_location&.size.to_i >= 2 }.uniq # => [true]
MonitorMixin::ConditionVariable.instance_method(:wait).source_location[0] == place[0] # => true
[1].method(:first).source_location # => nil
[1].method(:flatten).source_location # => nil
