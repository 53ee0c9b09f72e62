# Runs one file of the tests of a gem (those of Ruby's distribution whose tests lie in repositories of their own) under the gem test-unit, as the gem's authors
# do, and tells `cargo xtask cruby --gem` what happens in the way of `unit_driver.rb`.
# Arguments: the checkout of the gem, the test file, the file for the events, a file that names tests not to run, and part of the
# names of the tests to run.
checkout, file, *rest = ARGV.slice!(0, 5)

module GemDriver
  PID = $$

  class << self
    def start(events, leave_out, only)
      @record = File.open(events, "ab")
      @record.sync = true
      @leave_out = File.read(leave_out).lines(chomp: true)
      @only = only
    end

    # A child that a test has forked tells nothing.
    def tell(*parts)
      @record.write(parts.map { |part| part.to_s.b }.join.delete("\x02") + "\x02".b) if $$ == PID
    end

    def wanted?(name)
      name.include?(@only) && !@leave_out.include?(name)
    end

    # `CLASS#METHOD`, and which of its data where it has some.
    def name(test)
      label = test.data_label
      "#{test.class}##{test.method_name}#{"[#{label}]" if label}".tr("\n", " ")
    end
  end

  module Selection
    def run(...)
      name = GemDriver.name(self)
      return unless GemDriver.wanted?(name)
      GemDriver.tell("B", name)
      super
      GemDriver.tell("A")
    end
  end

  # What the library is told of a test.
  module Report
    def add_failure(failure)
      GemDriver.tell("F", failure.long_display.lines.first(40).join)
      super
    end

    def add_error(error)
      GemDriver.tell("F", error.long_display.lines.first(40).join)
      super
    end

    def add_pending(pending)
      GemDriver.tell("S", pending.message)
      super
    end

    def add_omission(omission)
      GemDriver.tell("S", omission.message)
      super
    end
  end
end

GemDriver.start(*rest)
# All of the gems count as those that a Gemfile names.
Dir.glob("specifications/*.gemspec", base: ENV.fetch("GEM_HOME")).sort.each do |file|
  gem Gem::Specification.load(File.join(ENV.fetch("GEM_HOME"), file)).name
rescue Gem::LoadError
  next
end
# What could not be installed is tested where it lies.
name = Dir.children(checkout).grep(/\.gemspec\z/).first.delete_suffix(".gemspec")
$LOAD_PATH.unshift(File.join(checkout, "lib")) unless Gem.loaded_specs.key?(name)
require "test-unit"
require "test/unit/testresult"
Test::Unit::TestCase.prepend(GemDriver::Selection)
Test::Unit::TestResult.prepend(GemDriver::Report)
begin
  require File.realpath(file)
rescue Exception => exception
  GemDriver.tell("L", exception.class, ": ", exception.message, "\n", (exception.backtrace || []).first(3).join("\n"))
  GemDriver.tell("Z")
  exit!(1)
end
Test::Unit::AutoRunner.need_auto_run = false
at_exit { GemDriver.tell("Z") if $!.nil? || SystemExit === $! }
Test::Unit::AutoRunner.run(false, nil, ["--order=alphabetic"])
GemDriver.tell("Z")
exit!(0)
