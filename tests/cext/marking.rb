# Mark functions read hashes, tables and other data of extensions, whoever begins the collection.
require_relative "fixtures/build"
load_c("marking")
holder = Holder.new
50.times { |n| holder.put(n, "value #{n}") }
other = Holder.new.look_at(holder)
GC.start
holder.take(7) # => ["value 7", "value 7", "value 49"]
other.collect >= 100 # => true
holder.take(49) # => ["value 49", "value 49", "value 49"]
other.look_at("no holder").collect > 0 # => true
1.upto(300) { |n| Holder.new.put(n, "short-lived #{n}").look_at(other) }
GC.start
holder.take(0) # => ["value 0", "value 0", "value 49"]
holder.hide("in a variable")
other.look_at(holder).collect
holder.hidden # => "in a variable"
other.look_at(["an", "Array"]).collect > 0 # => true
Holder.buffer # => "in a buffer of 1000"
Holder.registered # => [:"kept in a variable", 3584]

# One that makes objects ends the process with words.
ruby = ENV["RUBY"] || RbConfig.ruby
program = "require '#{File.join(__dir__, "fixtures/build.rb")}'; load_c('marking'); $kept = Holder.wrong; GC.start"
text = IO.popen([ruby, "-e", program, err: [:child, :out]], &:read)
text.include?("[FATAL] a mark function has called a function of the VM") # => true
$?.termsig # => 6
