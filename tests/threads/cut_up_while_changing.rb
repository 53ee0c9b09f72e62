# A string that another thread changes while it is cut up: the parts are those of one moment.
LONG = "a b," * 1100
text = LONG.dup
done = false
TIMES = ENV["RUBELLITE_STRESS"] ? 2 : 100
changer = Thread.new do
  until done
    text.clear
    Thread.pass
    text.replace(LONG)
    Thread.pass
  end
end
Rubellite::Lock.slice = 0.0001 if defined?(Rubellite)

def sizes(count) = Array.new(count) { yield.size }.uniq - [0]

sizes(TIMES) { text.split(" ") } - [1101] # => []
sizes(TIMES) { text.split("") } - [4400] # => []
sizes(TIMES) { text.split(",") } - [1100] # => []
sizes(TIMES) { text.split(/,/) } - [1100] # => []
sizes(TIMES) { text.split } - [1101] # => []
sizes(TIMES) { text.chars } - [4400] # => []
sizes(TIMES) { text.lines(",") } - [1100] # => []
sizes(TIMES) { text.codepoints } - [4400] # => []
sizes(TIMES) { text.grapheme_clusters } - [4400] # => []
done = true
changer.join.class # => Thread
