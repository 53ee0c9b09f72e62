apps_require "thor", "slop", "highline", "rainbow", "pastel", "terminal-table"

class App < Thor
  def self.exit_on_failure? = false
  desc "add A B", "adds"
  method_option :times, type: :numeric, default: 1, aliases: "-t", desc: "how often"
  def add(first, second) = puts((first.to_i + second.to_i) * options[:times])
  desc "list", "lists"
  def list(*names) = print_table(names.map { |name| [name, name.size] })
end
[%w[help], %w[add 1 2 -t 3], %w[list a bcd], %w[nothing], %w[add 1], %w[help add]].each do |words|
  App.start(words, shell: Thor::Shell::Basic.new)
end
options = Slop.parse(%w[--name ada -v --n 3 rest]) { |o| o.string "--name"; o.bool "-v", "--verbose"; o.integer "--n" }
p options.to_hash.to_a, options.arguments
puts options
puts Rainbow("x").red.bright.inspect, Pastel.new(enabled: true).green.bold("y").inspect
puts Terminal::Table.new(title: "T", headings: %w[a b], rows: [[1, "xyz"], :separator, ["long text", 2]])
puts HighLine.new(StringIO.new("yes\n7\n"), out = StringIO.new).ask("Sure? "), out.string
