# Reads Ruby from the terminal, or from a pipe, and shows what it gives. The installed irb asks Ripper where an expression ends; this one asks
# the compiler.
module IRB
  PROGRAM = "irb"
  UNFINISHED = /end-of-input|meets end of file|before EOF|unterminated|expected a closing delimiter|expected an? `\W` to close/
  WRONG = /, ignoring it$|unexpected '[)\]}]'/
  OPTIONS_WITH_VALUE = %w[-E -U -W --back-trace-limit --context-mode --prompt --prompt-mode].freeze
  QUIT = [:exit, :quit, :irb_exit].freeze
  private_constant :UNFINISHED, :WRONG, :OPTIONS_WITH_VALUE, :QUIT

  # Runs a session on the main object with the command line's arguments.
  def self.start(_path = nil, argv: ARGV)
    settings = read_options(argv)
    return puts(version) if settings[:version]
    session = Session.new(TOPLEVEL_BINDING.dup, **settings.slice(:echo, :prompt, :inspect))
    settings[:script] ? session.run_file(settings[:script]) : session.run
  end

  def self.version = "irb of #{RUBY_DESCRIPTION}"

  def self.read_options(argv)
    settings = { echo: true, prompt: :long, inspect: true }
    while (word = argv.first)&.start_with?("-") && word != "-"
      argv.shift
      case word
      when "-v", "--version" then settings[:version] = true
      when "-r" then require argv.shift
      when /\A-r(.+)/ then require $1
      when "-I" then $LOAD_PATH.unshift(*argv.shift.split(":"))
      when /\A-I(.+)/ then $LOAD_PATH.unshift(*$1.split(":"))
      when "-d" then $DEBUG = $VERBOSE = true
      when "-w" then $VERBOSE = true
      when "--noecho" then settings[:echo] = false
      when "--noinspect" then settings[:inspect] = false
      when "--simple-prompt", "--sample-book-mode" then settings[:prompt] = :simple
      when "--noprompt", "--inf-ruby-mode" then settings[:prompt] = :none
      when "--" then break
      when *OPTIONS_WITH_VALUE then argv.shift
      end
    end
    settings[:script] = argv.shift
    settings
  end
  private_class_method :read_options

  # One conversation in a binding.
  class Session
    def initialize(binding, echo: true, prompt: :long, inspect: true)
      @binding, @echo, @prompt, @inspect = binding, echo, prompt, inspect
      @line = 1
      @terminal = $stdin.tty? && $stdout.tty?
      @binding.local_variable_set(:_, nil)
    end

    def run
      catch(:irb_exit) do
        loop do
          code = read or break
          evaluate(code)
        end
      end
      puts if @terminal
    end

    def run_file(path)
      catch(:irb_exit) { @binding.eval(File.read(path), path) }
    rescue Exception => error
      raise if error.is_a?(SystemExit)
      report(error)
    end

    private

    # Lines up to the end of an expression; nil at the end of input.
    def read
      code = +""
      loop do
        line = next_line(code.empty? ? ">" : "*")
        return (code.empty? ? nil : code) unless line
        code << line
        return code unless unfinished?(code)
      end
    rescue Interrupt
      puts "^C"
      retry
    end

    def next_line(mark)
      prompt = prompt_with(mark)
      return $stdin.gets unless @terminal
      line = editor ? Reline.readline(prompt, true) : (print(prompt) || $stdin.gets)
      line && "#{line.chomp}\n"
    end

    # The line editor, where it can be loaded.
    def editor
      return @editor unless @editor.nil?
      require "reline"
      @editor = true
    rescue LoadError
      @editor = false
    end

    def prompt_with(mark)
      case @prompt
      when :none then ""
      when :simple then mark == ">" ? ">> " : "?> "
      else format("irb(%s):%03d%s ", @binding.receiver.to_s[0, 32], @line, mark)
      end
    end

    def unfinished?(code)
      catch(:compiles) do
        verbose, $VERBOSE = $VERBOSE, nil
        @binding.eval("BEGIN { throw :compiles, false }\n#{code}", "(irb)", @line - 1)
      ensure
        $VERBOSE = verbose
      end
    rescue SyntaxError => error
      error.message.match?(UNFINISHED) && !error.message.match?(WRONG)
    end

    def evaluate(code)
      first = @line
      @line += code.count("\n")
      return if code.strip.empty?
      throw :irb_exit if QUIT.include?(code.strip.to_sym)
      value = @binding.eval(code, "(irb)", first)
      @binding.local_variable_set(:_, value)
      show(value) if @echo
    rescue SystemExit
      throw :irb_exit
    rescue Exception => error
      raise if error.is_a?(UncaughtThrowError) && error.tag == :irb_exit
      report(error)
    end

    def show(value)
      puts "=> #{@inspect ? value.inspect : value}"
    rescue StandardError => error
      puts "(#{error.class} in inspect: #{error.message})"
    end

    # The error without our own part of the backtrace.
    def report(error)
      return puts(error.message.sub(/$/, " (#{error.class})")) if error.is_a?(SyntaxError)
      last = error.backtrace&.rindex { |place| place.start_with?("(irb):") }
      error.set_backtrace(error.backtrace[..last]) if last
      puts error.full_message(highlight: @terminal, order: :top)
    end
  end
end

class Binding
  # Talks in this binding until the end of input.
  def irb(**)
    path, line = source_location
    puts "From: #{path}:#{line}" if path
    IRB::Session.new(self).run
  end
end
