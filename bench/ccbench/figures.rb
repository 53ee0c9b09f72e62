# What the runs of ccbench come to: each figure the middle one of several with its range, the noise of the machine
# beside them, what differs between Rubies and from an older file, as tables and as JSON. No difference is claimed where
# the ranges overlap.
module CCBench
  # A figure beside so many threads, of all runs: sorted, and the share of their throughput that the threads beside it
  # kept.
  class Figure
    attr_reader :kind, :work, :threads, :unit, :values, :kept

    def initialize(kind, work, threads, unit, values = [], kept = [])
      @kind, @work, @threads, @unit, @values, @kept = kind, work, threads, unit, values, kept
    end

    def add(result)
      @values = (@values + [result.figure]).sort
      @kept = (@kept + [result.kept]).compact.sort
    end

    def key = [kind, work, threads]
    def median = CCBench.middle(values)
    def low = values.first
    def high = values.last
    def kept_median = kept.empty? ? nil : CCBench.middle(kept)
    def better_high? = unit.end_with?("/s")

    # Whether the ranges lie apart. Of runs that differ by chance alone they do in `chance_apart` of the cases.
    def apart?(other) = low > other.high || high < other.low

    def range = values.size > 1 ? "#{CCBench.amount(low, unit, false)} to #{CCBench.amount(high, unit)}" : nil
  end

  # What one Ruby came to.
  class Run
    attr_accessor :label, :description
    attr_reader :ruby, :figures, :skipped

    def initialize(ruby, label = File.basename(ruby), description = nil)
      @ruby, @label, @description = ruby, label, description
      @figures = {}
      @skipped = []
    end

    def add(result)
      figure = Figure.new(result.kind, result.work, result.threads, result.unit)
      (@figures[figure.key] ||= figure).add(result)
      result
    end

    def skip(text) = @skipped.include?(text) || @skipped << text
  end

  # What an idle loop lost on this machine, see `idle`.
  Noise = Struct.new(:lost, :longest_us, :pace, :late_us, :latest_us) do
    def self.of(loops)
      by = loops.transpose
      new(by[0].max, by[1].max, by[2].min, CCBench.middle(by[3].sort), by[4].max)
    end

    # Of several, as figures are the middle of their runs; the longest of all.
    def self.middle(all)
      new(*all.map(&:to_a).transpose.map { |values| CCBench.middle(values.sort) }).tap do |noise|
        noise.longest_us = all.map(&:longest_us).max
      end
    end

    # The share of a rate that the machine may have taken.
    def share = [lost, 1 - pace].max

    # Whether the figure may be of the machine's making: a rate of which it takes a tenth or more, a time that one of
    # its delays comes to half of; of the usual time, which rare delays do not touch, only where it takes a tenth of all
    # time, too.
    def decides?(figure)
      return share >= 0.1 unless figure.unit == "us"

      (latest_us - late_us) * 2 >= figure.median && (!figure.kind.end_with?("p50") || share >= 0.1)
    end

    def text
      format("An idle loop was kept from running for %.1f %% of the time, %s at most, ran at %d %% of its best speed " \
             "at times, and was woken %s late, in one of a hundred cases %s.", lost * 100,
             CCBench.amount(longest_us, "us"), (pace * 100).round, CCBench.amount(late_us, "us"),
             CCBench.amount(latest_us, "us"))
    end
  end

  module_function

  # The middle of sorted numbers.
  def middle(sorted)
    half = sorted.size / 2
    sorted.size.odd? ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0
  end

  # A number of a unit as people read it; three digits count.
  def amount(number, unit, named = true)
    number, unit = number / 1000.0, "ms" if unit == "us" && named != :plain && number >= 1000
    text = number >= 100 ? number.round.to_s.gsub(/(?<=\d)(?=(\d{3})+\z)/, ",") : format("%.3g", number)
    named == false && unit != "ms" ? text : "#{text} #{unit}"
  end

  # How much of what differs by chance alone lies apart all the same when there are `a` runs on one side and `b` on the
  # other: of the orders in which they can come, those with all of one side in front.
  def chance_apart(a, b)
    2.0 / (1..a).inject(1) { |product, i| product * (b + i) / i }
  end

  def times(ratio)
    ratio >= 10 ? format("%d", ratio.round).gsub(/(?<=\d)(?=(\d{3})+\z)/, ",") : format("%.2g", ratio)
  end

  # All figures of some runs.
  class Figures
    class Unreadable < StandardError; end

    attr_reader :runs, :noise, :seconds, :machine

    def initialize(runs, noise, options, machine = Figures.machine)
      @runs, @noise, @seconds, @machine = runs, noise, options[:seconds], machine
      runs.group_by(&:label).each_value do |same|
        same.each_with_index { |run, i| run.label = "#{run.label} (#{i + 1})" } if same.size > 1
      end
    end

    # The machine that this runs on, in words that differ where figures cannot be compared.
    def self.machine
      model = File.foreach("/proc/cpuinfo").find { |line| line.start_with?("model name") }.to_s[/: *(.*)/, 1]
      "#{Etc.nprocessors} processors, #{model || RbConfig::CONFIG["host_cpu"]}"
    rescue SystemCallError
      "#{Etc.nprocessors} processors"
    end

    # Those that `json` wrote. Raises SystemCallError and Unreadable.
    def self.load(path)
      require "json"
      about = JSON.parse(File.read(path))
      raise Unreadable, "#{path} holds no figures of ccbench" unless about.is_a?(Hash) && about["program"] == "ccbench"

      runs = about["runs"].map do |old|
        Run.new(old["ruby"], old["ruby"], old["description"]).tap do |run|
          old["results"].each do |result|
            values = (result["figures"] || [result["figure"]]).compact.map(&:to_f).sort
            next if values.empty?

            figure = Figure.new(result["kind"], result["work"], result["threads"], result["unit"], values,
                                Array(result["kept"]))
            run.figures[figure.key] = figure
          end
        end
      end
      noise = about["noise"] &&
        Noise.new(*about["noise"].values_at("lost", "longest_us", "pace", "late_us", "latest_us"))
      new(runs, noise, { seconds: about["seconds"] }, about["machine"])
    rescue JSON::ParserError, NoMethodError, TypeError
      raise Unreadable, "#{path} holds no figures of ccbench"
    end

    def any? = runs.any? { |run| run.figures.any? }

    # The figures of each kind and work, in the order of KINDS.
    def groups
      all = runs.flat_map { |run| run.figures.values }
      all.group_by { |figure| [figure.kind, figure.work, figure.unit] }
        .sort_by { |(kind, work, _), _| [KINDS.index(kind[/\w+/]), kind, WORK.index(work) || 9] }
    end

    def find(run, kind, work, threads) = run.figures[[kind, work, threads]]

    def decided = runs.flat_map { |run| run.figures.values.select { |figure| noise.decides?(figure) } }

    # What the noise means for the figures; nil where it decides none.
    def warning
      return if decided.empty?

      count = runs.sum { |run| run.figures.size }
      "The machine is not quiet enough for " \
      "#{decided.size == count ? "any" : "#{decided.size} of the #{count} figures"}: what is marked with ~ " \
        "says as much about it as about a Ruby."
    end

    # What the figures beside the most threads say, a sentence for each kind and work.
    def sentences
      groups.map do |(kind, work, unit), all|
        most = all.map(&:threads).max
        found = runs.filter_map { |run| (figure = find(run, kind, work, most)) && [run, figure] }
        subject = { "throughput" => "get done", "latency" => "a datagram waits", "roundtrip" => "a round trip takes",
                    "bandwidth" => "the datagrams taken in are", "reads" => "the reads of a file are" }
        says = found.map { |run, figure| "#{value(figure)} on #{run.label}" }
        part = kind[/p\d+/] ? " (#{kind[/p\d+/]})" : ""
        beside =
          if most == 0
            "Beside no other thread"
          else
            "Beside #{most} thread#{"s" if most > 1} that compute#{"s" if most == 1} #{work}"
          end
        beside, verb = "#{most} threads that compute #{work}", "get done" if kind == "throughput"
        "#{beside}#{kind == "throughput" ? " " : ", "}#{verb || subject[kind[/\w+/]]}#{part} " \
        "#{says.join(", ")}#{verdict(found)}."
      end
    end

    # Against the first: how many times, or that nothing can be told.
    def verdict(found)
      (_, first), *others = found
      return alone(found.first) if others.empty?

      others.map do |run, figure|
        next "; #{run.label} differs by no more than the runs do" unless figure.apart?(first)

        ratio = figure.median / first.median
        "; #{run.label} has " \
        "#{ratio >= 1 ? "#{CCBench.times(ratio)} times as much" : "1/#{CCBench.times(1 / ratio)} of it"}"
      end.join
    end

    # Of one Ruby: the same beside nobody.
    def alone((run, figure))
      other = find(run, figure.kind, figure.work, figure.kind == "throughput" ? 1 : 0)
      if other && other.threads != figure.threads
        ", beside #{other.threads == 0 ? "none" : "itself alone"} #{value(other)}"
      else
        ""
      end
    end

    def value(figure)
      "#{"~" if noise&.decides?(figure)}#{CCBench.amount(figure.median, figure.unit)}" \
      "#{" (#{figure.range})" if figure.range}"
    end

    def text
      lines = runs.flat_map { |run| ["#{run.label}: #{run.description}", *run.skipped.map { |text| "  #{text}" }] }
      lines << noise.text
      lines << warning if warning
      lines << "" << tables if any?
      lines.join("\n")
    end

    # A table for each kind and work: a line per number of threads, a column per Ruby.
    def tables
      groups.map do |(kind, work, unit), all|
        counts = all.map(&:threads).uniq.sort
        columns = runs.map { |run| [run.label, *counts.map { |threads| cell(find(run, kind, work, threads)) }] }
        widths = columns.map { |column| column.map(&:size).max }
        lines = ["threads", *counts.map(&:to_s)].each_with_index.map do |count, i|
          (count.rjust(8) + columns.zip(widths).map { |column, width| "  #{column[i].rjust(width)}" }.join).rstrip
        end
        ["#{kind}, #{work} (#{unit})", *lines].join("\n")
      end.join("\n\n")
    end

    # The middle, the range, and in brackets the share that the threads beside it kept.
    def cell(figure)
      return "-" unless figure

      plain = ->(number) { format("%.1f", number) }
      range = figure.values.size > 1 ? " [#{plain[figure.low]} to #{plain[figure.high]}]" : ""
      kept = figure.kept_median ? format(" (%3d%%)", figure.kept_median.round) : ""
      "#{"~" if noise.decides?(figure)}#{plain[figure.median]}#{range}#{kept}"
    end

    def json
      about = { "program" => "ccbench", "seconds" => seconds, "machine" => machine, "noise" => noise.to_h }
      about["runs"] = runs.map do |run|
        results = run.figures.values.map do |figure|
          { "kind" => figure.kind, "work" => figure.work, "threads" => figure.threads, "unit" => figure.unit,
            "figure" => figure.median,
            "figures" => figure.values, "kept" => figure.kept_median, "noisy" => noise.decides?(figure) }
        end
        { "ruby" => run.label, "description" => run.description, "skipped" => run.skipped, "results" => results }
      end
      "#{written(about)}\n"
    end

    private

    def written(value)
      case value
      when Hash then "{#{value.map { |k, v| "#{written(k.to_s)}:#{written(v)}" }.join(",")}}"
      when Array then "[#{value.map { |v| written(v) }.join(value.first.is_a?(Numeric) ? "," : ",\n")}]"
      when String
        "\"#{value.gsub(/["\\]/) { |c| "\\#{c}" }.gsub(/[\x00-\x1f]/) { |c| format("\\u%04x", c.ord) }}\""
      when nil then "null"
      when Float then value.finite? ? value.round(3).to_s : "null"
      else value.to_s
      end
    end
  end

  # What is different from older figures.
  class Comparison
    # A figure then and now.
    Pair = Struct.new(:run, :old, :new) do
      def apart? = old.apart?(new)
      def ratio = new.median / old.median
      def better? = (ratio > 1) == new.better_high?

      # The ratio of the ends that are nearest to each other: so much is different at least, as far as the runs go.
      def least = ratio > 1 ? new.low / old.high : new.high / old.low
    end

    attr_reader :pairs

    def initialize(old, new)
      @old, @new = old, new
      @pairs = new.runs.flat_map do |run|
        other = old.runs.find { |candidate| candidate.label == run.label }
        other ||= old.runs.first if old.runs.size == 1 && new.runs.size == 1
        if other
          run.figures.filter_map { |key, figure| (before = other.figures[key]) && Pair.new(run, before, figure) }
        else
          []
        end
      end
    end

    # Pairs with three runs or more on both sides, where "apart" says something.
    def judged = pairs.select { |pair| [pair.old, pair.new].all? { |figure| figure.values.size >= 3 } }

    def different = judged.select(&:apart?).sort_by { |pair| -Math.log(pair.ratio).abs }

    # What makes the comparison worth less than it looks.
    def reservations
      list = []
      if @old.machine != @new.machine
        list << "They are of another machine: #{@old.machine || "one that is not named"}; here #{@new.machine}."
      end
      if @old.seconds != @new.seconds
        list << "They were measured for #{@old.seconds} s each time, these for #{@new.seconds} s."
      end
      list << "The machine's own noise was not measured then." unless @old.noise
      noisy = pairs.count { |pair| @new.noise.decides?(pair.new) || @old.noise&.decides?(pair.old) }
      list << "The machine's noise decides #{noisy} of the #{pairs.size} figures then or now." if noisy > 0
      few = pairs.size - judged.size
      if few > 0
        list << "#{few == pairs.size ? "All" : few} of #{pairs.size} have fewer than three runs on one side: " \
                "of these nothing can be said."
      end
      list
    end

    def summary
      return "No figure of the older file was measured again." if pairs.empty?

      better, worse = different.partition(&:better?)
      chance = judged.sum { |pair| CCBench.chance_apart(pair.old.values.size, pair.new.values.size) }
      "Against the older figures #{better.size} are better and #{worse.size} worse, of the other " \
        "#{judged.size - different.size} the ranges overlap: " \
        "these runs show no difference.#{format(" By chance alone %.1f would lie apart.", chance) if judged.any?}"
    end

    def lines
      different.map do |pair|
        noisy = @new.noise.decides?(pair.new) || @old.noise&.decides?(pair.old)
        format("%s%s %s, %s, %d threads, %s: %s, was %s: %.2f times, %.2f at least", noisy ? "~" : "",
               pair.better? ? "better" : "worse ", pair.new.kind, pair.new.work,
               pair.new.threads, pair.run.label, @new.value(pair.new).delete("~"), @new.value(pair.old).delete("~"),
               pair.ratio, pair.least)
      end
    end

    def text = [summary, *reservations, *lines.map { |line| "  #{line}" }].join("\n")
  end
end
