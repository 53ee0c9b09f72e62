# Coverage: how often the lines of files ran that were loaded after the start. Files make themselves known when they are
# compiled; lines are counted by a trace point. Branches and methods are not measured.

module Coverage
  @state = :idle
  @modes = nil
  @counts = {}

  # Counts a line of a file that is measured.
  LINES = TracePoint.new(:line) do |point|
    counts = @counts[point.path] and (number = counts[point.lineno - 1]) and counts[point.lineno - 1] = number + 1
  end
  private_constant :LINES

  # Gives a file that was compiled its counters.
  SCRIPTS = TracePoint.new(:script_compiled) do |point|
    code = point.instruction_sequence
    if point.eval_script.nil?
      @counts[code.path] = lines_of(code)
    elsif @modes.is_a?(Hash) && @modes[:eval]
      counts = @counts[code.path] ||= []
      lines_of(code).each_with_index { |number, i| counts[i] ||= number }
    end
  end
  private_constant :SCRIPTS

  class << self
    def supported?(mode)
      raise TypeError, "wrong argument type #{mode.class} (expected Symbol)" unless mode.is_a?(Symbol)
      %i[lines oneshot_lines eval].include?(mode)
    end

    def setup(options = nil)
      raise "coverage measurement is already setup" unless @state == :idle
      @modes =
        case options
        when nil then :legacy
        when :all then { lines: true, branches: true, methods: true, eval: true }
        else
          given = options
          options = Hash.try_convert(given) or raise TypeError, "no implicit conversion of #{given.class} into Hash"
          if options[:lines] && options[:oneshot_lines]
            raise "cannot enable lines and oneshot_lines simultaneously"
          end
          options.slice(:lines, :oneshot_lines, :branches, :methods, :eval).select { |_, on| on }
        end
      @state = :suspended
      SCRIPTS.enable
      nil
    end

    def start(options = nil)
      setup(options)
      resume
    end

    def resume
      raise "coverage measurement is not set up yet" if @state == :idle
      raise "coverage measurement is already running" if @state == :running
      LINES.enable
      @state = :running
      nil
    end

    def suspend
      raise "coverage measurement is not running" unless @state == :running
      LINES.disable
      @state = :suspended
      nil
    end

    def result(options = nil, **keywords)
      raise "coverage measurement is not enabled" if @state == :idle
      options = keywords.empty? ? options : keywords
      stop = clear = options.nil?
      stop, clear = options[:stop], options[:clear] if options
      if stop && !clear
        warn "stop implies clear", uplevel: 0
        clear = true
      end
      found = peek_result
      @counts.each_value { |lines| lines.map! { |number| number && 0 } } if clear
      if stop
        suspend if @state == :running
        SCRIPTS.disable
        @counts = {}
        @modes = nil
        @state = :idle
      end
      found
    end

    def peek_result
      raise "coverage measurement is not enabled" if @state == :idle
      @counts.transform_values { |lines| report(lines) }
    end

    def state = @state
    def running? = @state == :running

    # The lines of a file: 0 where something can run, nil elsewhere.
    def line_stub(file)
      lines_of(RubyVM::InstructionSequence.compile_file(file), File.foreach(file).count)
    end

    private

    def report(lines)
      return lines.dup if @modes == :legacy
      parts = {}
      parts[:lines] = lines.dup if @modes[:lines]
      parts[:oneshot_lines] = lines.each_index.filter_map { |i| i + 1 if lines[i]&.positive? } if @modes[:oneshot_lines]
      parts[:branches] = {} if @modes[:branches]
      parts[:methods] = {} if @modes[:methods]
      parts
    end

    def lines_of(code, size = code.script_lines.size)
      lines = Array.new(size)
      pending = [code]
      while (part = pending.pop)
        part.trace_points.each { |line, event| lines[line - 1] = 0 if event == :line && line > 0 }
        part.each_child { |child| pending << child }
      end
      lines
    end
  end
end
