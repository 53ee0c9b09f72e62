# Runs one file of CRuby's unit tests under CRuby's own harness and tells `cargo xtask cruby` what happens, one event
# after the other, in a file, because tests replace and close the standard streams: B begins a test, F is a failure
# (message), S a skip, A ends the test, L is an exception outside every test, Z ends the run. An event ends with the byte 2.
# Arguments: the checkout, the test file, the file for the events, a file that names tests not to run, and part of the
# names of the tests to run.
checkout, file, *rest = ARGV.slice!(0, 5)

module UnitDriver
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
  end

  # The methods of a test case that are to run.
  module Selection
    def test_methods
      super.select { |name| UnitDriver.wanted?("#{self}##{name}") }
    end
  end

  # What the harness does with a test.
  module Report
    def _start_method(test)
      UnitDriver.tell("B", test.class, "#", test.__name__)
      super
    end

    def _end_method(test)
      super
      UnitDriver.tell("A")
    end

    def puke(suite, name, exception)
      skipped = Test::Unit::PendedError === exception
      place = (exception.backtrace || []).grep(/\/test\//).grep_v(/\/tool\//).first(3).join("\n")
      UnitDriver.tell(skipped ? "S" : "F", exception.class, ": ", exception.message, "\n", place)
      super
    end
  end
end

UnitDriver.start(*rest)

# The harness runs from its own main program.
$0 = File.join(checkout, "test/runner.rb")
require File.join(checkout, "tool/test/init.rb")
Test::Unit::TestCase.singleton_class.prepend(UnitDriver::Selection)
Test::Unit::Runner.prepend(UnitDriver::Report)
ARGV.replace(["--test-order=alpha", "--verbose", file])
directories = [File.join(checkout, "test"), File.join(checkout, "test/lib"), File.dirname(File.realpath(file))]
directories.each { |directory| $LOAD_PATH.unshift(directory) if File.directory?(directory) && !$LOAD_PATH.include?(directory) }
# Parts of the tests need extensions in C that only CRuby's build has. Those parts fail; the rest of the file can run.
Dir.mkdir("extensions") unless Dir.exist?("extensions")
Dir.mkdir("extensions/-test-") unless Dir.exist?("extensions/-test-")
File.binread(file).scan(/^require ["'](-test-\/\w+)["']/) do |feature,|
  File.write("extensions/#{feature}.rb", "")
end
$LOAD_PATH.push(File.expand_path("extensions"))
# Tests of RubyGems' own installation write where the libraries of a site lie, which would then be everybody's.
RbConfig::CONFIG["sitelibdir"] = File.expand_path("site_ruby") if file.include?("/rubygems/")
# Tests of error_highlight ask whether the beginning of a definition can be found; RubyVM::AbstractSyntaxTree is how CRuby does.
if file.include?("error_highlight") && !RubyVM.const_defined?(:AbstractSyntaxTree)
  RubyVM::AbstractSyntaxTree = Object.new
  def (RubyVM::AbstractSyntaxTree).node_id_for_backtrace_location(location) = location.lineno
end
begin
  require File.realpath(file)
rescue Exception => exception
  UnitDriver.tell("L", exception.class, ": ", exception.message, "\n", (exception.backtrace || []).first(3).join("\n"))
  UnitDriver.tell("Z")
  exit!(1)
end
at_exit { UnitDriver.tell("Z") if $!.nil? || SystemExit === $! }
Test::Unit::AutoRunner.run(true, File.join(checkout, "test"))
UnitDriver.tell("Z")
exit!(0)
