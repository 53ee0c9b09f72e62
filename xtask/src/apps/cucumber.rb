apps_require "cucumber"

Dir.mkdir("features")
Dir.mkdir("features/step_definitions")
File.write("features/a.feature",
           "Feature: sums\n\n  Scenario Outline: add\n    Given <a> and <b>\n    When I add them\n" \
           "    Then I get <c>\n\n    Examples:\n      | a | b | c |\n      | 1 | 2 | 3 |\n      | 2 | 2 | 5 |\n\n" \
           "  Scenario: pending\n    Given nothing\n")
File.write("features/step_definitions/a.rb",
           "Given(/^(\\d+) and (\\d+)$/) { |*all| @numbers = all.map(&:to_i) }\n" \
           "When('I add them') { @sum = @numbers.sum }\nThen(/^I get (\\d+)$/) { |c| raise \"is \#{@sum}\" unless " \
           "@sum == c.to_i }\n")
require "cucumber/cli/main"
begin
  Cucumber::Cli::Main.new(%w[--no-color --no-duration --format progress features]).execute!
rescue SystemExit => exit
  puts "status #{exit.status}"
end
