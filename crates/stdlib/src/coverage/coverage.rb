# Coverage: how often the lines, branches and methods of files ran that were loaded after the start. Files make
# themselves known when they are compiled; lines and calls are counted by trace points, branches by the code, which is
# compiled to do so.

module Coverage
  @state = :idle
  @modes = nil
  @counts = {}
  @calls = {}.compare_by_identity
  # By path: the code, for its branches, and the lines that ran since they were told last, in their order.
  @codes = {}
  @fresh = Hash.new { |all, path| all[path] = [] }

  # Counts a call of a method that is defined in a file that is measured.
  CALLS = TracePoint.new(:call) do |point|
    (@calls[point.defined_class] ||= Hash.new(0))[point.method_id] += 1 if @counts.key?(point.path)
  end
  private_constant :CALLS

  # Counts a line of a file that is measured.
  LINES = TracePoint.new(:line) do |point|
    next unless (counts = @counts[point.path]) && (line = point.lineno) > 0 && (number = counts[line - 1])
    counts[line - 1] = number + 1
    @fresh[point.path] << line if number == 0 && @once
  end
  private_constant :LINES

  # Gives a file that was compiled its counters.
  SCRIPTS = TracePoint.new(:script_compiled) do |point|
    code = point.instruction_sequence
    if point.eval_script.nil?
      @counts[code.path] = lines_of(code)
      @codes[code.path] = code
    elsif @modes.is_a?(Hash) && @modes[:eval]
      counts = @counts[code.path] ||= []
      lines_of(code).each_with_index { |number, i| counts[i] ||= number }
      @codes[code.path] ||= code
    end
  end
  private_constant :SCRIPTS

  class << self
    def supported?(mode)
      raise TypeError, "wrong argument type #{mode.class} (expected Symbol)" unless mode.is_a?(Symbol)
      %i[lines oneshot_lines branches methods eval].include?(mode)
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
      @once = Hash === @modes && @modes[:oneshot_lines]
      @state = :suspended
      Primitive.coverage_counts_branches(self, Hash === @modes && @modes[:branches])
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
      CALLS.enable if Hash === @modes && @modes[:methods]
      Primitive.coverage_runs(self, true)
      @state = :running
      nil
    end

    def suspend
      raise "coverage measurement is not running" unless @state == :running
      LINES.disable
      CALLS.disable
      Primitive.coverage_runs(self, false)
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
      clear_counts if clear
      if stop
        suspend if @state == :running
        SCRIPTS.disable
        Primitive.coverage_counts_branches(self, false)
        @counts = {}
        @codes = {}
        @fresh.clear
        @modes = nil
        @state = :idle
      end
      found
    end

    def peek_result
      raise "coverage measurement is not enabled" if @state == :idle
      methods = Hash === @modes && @modes[:methods] ? untraced { defined_methods } : {}
      @counts.to_h { |path, lines| [path, report(path, lines, methods[path] || {})] }
    end

    def state = @state
    def running? = @state == :running

    # The lines of a file: 0 where something can run, nil elsewhere.
    def line_stub(file)
      lines_of(RubyVM::InstructionSequence.compile_file(file), File.foreach(file).count)
    end

    private

    def clear_counts
      # A line that has been told once is not told again.
      @counts.each_value { |lines| lines.map! { |number| number && 0 } } unless @once
      @fresh.clear
      @calls.clear
      @codes.each_value { |code| Primitive.iseq_clear_branches(code) }
    end

    def report(path, lines, methods)
      return lines.dup if @modes == :legacy
      parts = {}
      parts[:lines] = lines.dup if @modes[:lines]
      parts[:oneshot_lines] = @fresh.fetch(path, []).dup if @modes[:oneshot_lines]
      parts[:branches] = branches_of(path) if @modes[:branches]
      parts[:methods] = methods if @modes[:methods]
      parts
    end

    # Constructs and their arms, numbered in the order in which they lie in the code.
    def branches_of(path)
      number = -1
      key = ->((kind, *place)) { [kind, number += 1, *place] }
      branches = @codes[path] ? Primitive.iseq_branches(@codes[path]) : []
      branches.to_h do |kind, *place, arms|
        [key.call([kind, *place]), arms.to_h { |*arm, count| [key.call(arm), count] }]
      end
    end

    def untraced
      traces = [LINES, CALLS, SCRIPTS].select(&:enabled?).each(&:disable)
      yield
    ensure
      traces.each(&:enable)
    end

    # The methods of the measured files that are there, with the number of their calls, by file.
    def defined_methods
      require "prism"
      found = {}
      places = Hash.new { |all, path| all[path] = places_in(path) }
      each_owner do |owner|
        names = owner.instance_methods(false) | owner.private_instance_methods(false)
        names.each do |name|
          method = owner.instance_method(name)
          path, line = method.source_location
          next unless @counts.key?(path) && method.owner.equal?(owner) && method.original_name == name
          place = places[path][[line, name]] || places[path][[line, nil]] or next
          (found[path] ||= {})[[owner, name, *place]] = @calls.dig(owner, name) || 0
        end
      end
      found
    end

    def each_owner
      ObjectSpace.each_object(Module).to_a.each do |owner|
        yield owner
        yield owner.singleton_class unless owner.singleton_class? || owner.singleton_methods(false).empty?
      end
    end

    # Where methods and blocks are written: first line and column, last line and column, by line and name;
    # blocks have none.
    def places_in(path)
      places = {}
      pending = [Prism.parse_file(path).value]
      while (node = pending.pop)
        at = node.location
        place = [at.start_line, at.start_column, at.end_line, at.end_column]
        case node
        when Prism::DefNode then places[[at.start_line, node.name]] = place
        when Prism::BlockNode, Prism::LambdaNode then places[[at.start_line, nil]] ||= place
        end
        pending.concat(node.compact_child_nodes)
      end
      places
    rescue SystemCallError
      {}
    end

    def lines_of(code, size = Primitive.iseq_lines(code).size)
      # Lines of an eval that are numbered below 1 have no place.
      size += code.first_lineno - 1 if code.first_lineno < 0
      lines = Array.new(size.clamp(0..))
      pending = [code]
      while (part = pending.pop)
        part.trace_points.each { |line, event| lines[line - 1] = 0 if event == :line && line > 0 }
        part.each_child { |child| pending << child }
      end
      lines
    end
  end
end
