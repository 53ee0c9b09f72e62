# The page of ccbench: sentences first, then a small chart for each question and kind of work, whose scales are those of
# their question, and the figures as tables. It needs nothing but itself, follows the scheme of the system and the width
# of the window.
module CCBench
  class Page
    QUESTIONS = {
      "throughput" => "How much do threads that compute get done together?",
      "latency p50" => "How long does a datagram usually wait for Ruby code that takes it?",
      "latency p99" => "How long does the slowest of a hundred datagrams wait?",
      "roundtrip p50" => "How long does a question to another process and its answer usually take?",
      "roundtrip p99" => "How long does the slowest of a hundred such round trips take?",
      "bandwidth" => "How many datagrams are taken in per second?",
      "reads" => "How many blocks of 4 KB are read from a file per second?"
    }.freeze

    # Of a chart, in its own units: the whole, and where the axes lie.
    WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340, 210, 58, 14, 12, 34

    def initialize(figures, comparison)
      @figures, @comparison = figures, comparison
    end

    def html
      <<~HTML
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>ccbench</title>
        <style>#{STYLE}</style>
        </head>
        <body>
        <main>
        <h1>ccbench: threads that wait beside threads that compute</h1>
        #{warning}
        <div class="summary" id="summary">#{@figures.sentences.map { |text| "<p>#{escape(text)}</p>" }.join}</div>
        #{compared}
        <ul class="legend">#{legend}</ul>
        #{sections}
        <h2>The machine</h2>
        <p class="facts" id="noise">#{escape(@figures.machine)}. #{escape(@figures.noise.text)}
        Each figure was measured for #{@figures.seconds} s in each run; a dot is the middle one of the runs,
        the line through it reaches from the least to the largest.</p>
        </main>
        </body>
        </html>
      HTML
    end

    private

    def escape(text) = text.to_s.gsub("&", "&amp;").gsub("<", "&lt;").gsub(">", "&gt;").gsub('"', "&quot;")

    def warning
      text = @figures.warning
      text ? %(<p class="warning" role="note" id="warning">#{escape(text)}</p>) : ""
    end

    def compared
      return "" unless @comparison

      items = @comparison.lines.map { |line| "<li>#{escape(line)}</li>" }.join
      summary = escape([@comparison.summary, *@comparison.reservations].join(" "))
      %(<h2>What is different</h2><p>#{summary}</p><ul id="differences">#{items}</ul>)
    end

    def legend
      @figures.runs.each_with_index.map do |run, i|
        %(<li><i class="s#{i % 6}"></i><b>#{escape(run.label)}</b> #{escape(run.description)} ) +
          "#{escape(run.skipped.join("; "))}</li>"
      end.join
    end

    def sections
      @figures.groups.group_by { |(kind, _, _), _| kind }.map do |kind, groups|
        all = groups.flat_map(&:last)
        scale = Scale.new(all)
        charts = groups.map { |(_, work, unit), figures| chart(kind, work, unit, figures, scale) }.join
        better = all.first.better_high? ? "higher is better" : "lower is better"
        better += "; each line of the scale is ten times the one below" if scale.decades > 1
        %(<section><h2>#{escape(QUESTIONS.fetch(kind, kind))}</h2><p class="facts">#{kind}; #{better}</p>) +
          %(<div class="charts">#{charts}</div>#{table(kind, groups)}</section>)
      end.join
    end

    # A logarithmic scale that holds all the figures, since they span decades.
    class Scale
      attr_reader :ticks

      def initialize(figures)
        low = Math.log10([figures.map(&:low).min, 0.01].max)
        high = Math.log10([figures.map(&:high).max, 0.01].max)
        @low, @high = low.floor.to_f, [high.ceil, low.floor + 1].max.to_f
        @ticks = (@low.to_i..@high.to_i).map { |power| 10.0**power }
      end

      def decades = @ticks.size - 1

      # Where a figure lies, from the bottom of the chart.
      def y(figure)
        part = (Math.log10([figure, 0.01].max) - @low) / (@high - @low)
        (HEIGHT - BOTTOM - part.clamp(0, 1) * (HEIGHT - BOTTOM - TOP)).round(1)
      end
    end

    def chart(kind, work, unit, figures, scale)
      counts = figures.map(&:threads).uniq.sort
      step = (WIDTH - LEFT - RIGHT).fdiv(counts.size)
      x = ->(threads, i) {
        (LEFT + step * (counts.index(threads) + 0.5) + (i - (@figures.runs.size - 1) / 2.0) * [step / 8, 9].min)
          .round(1)
      }
      grid = scale.ticks.map do |tick|
        y = scale.y(tick)
        %(<line class="grid" x1="#{LEFT}" x2="#{WIDTH - RIGHT}" y1="#{y}" y2="#{y}"/>) +
          %(<text x="#{LEFT - 6}" y="#{y + 4}" text-anchor="end">#{escape(axis(tick, unit))}</text>)
      end
      names = counts.map do |threads|
        at = x[threads, (@figures.runs.size - 1) / 2.0]
        %(<text x="#{at}" y="#{HEIGHT - BOTTOM + 16}" text-anchor="middle">#{threads}</text>)
      end
      lines = @figures.runs.each_with_index.map do |run, i|
        series(run, i, counts.filter_map { |threads| @figures.find(run, kind, work, threads) }, x, scale)
      end
      told = @figures.runs.map do |run|
        parts = counts.filter_map do |threads|
          figure = @figures.find(run, kind, work, threads)
          "#{threads} threads #{@figures.value(figure)}" if figure
        end
        "#{run.label}: #{parts.join(", ")}"
      end
      title = escape("#{kind}, #{work}: #{told.join("; ")}")
      %(<figure><figcaption>#{escape(work == "pi" ? "beside pi, in Ruby" : "beside #{work}")}</figcaption>) +
        %(<svg viewBox="0 0 #{WIDTH} #{HEIGHT}" role="img" aria-label="#{title}">#{grid.join}#{names.join}) +
        %(<text x="#{(WIDTH + LEFT) / 2}" y="#{HEIGHT - 2}" text-anchor="middle">threads that compute</text>) +
        "#{lines.join}</svg></figure>"
    end

    def series(run, i, figures, x, scale)
      points = figures.map { |figure| [x[figure.threads, i], scale.y(figure.median)] }
      path = %(<polyline class="s#{i % 6}" points="#{points.map { |point| point.join(",") }.join(" ")}"/>)
      path + figures.zip(points).map do |figure, (at, y)|
        title = escape("#{run.label}, #{figure.threads} threads: #{@figures.value(figure)}")
        %(<g class="s#{i % 6}"><title>#{title}</title>) +
          %(<line class="range" x1="#{at}" x2="#{at}" y1="#{scale.y(figure.low)}" y2="#{scale.y(figure.high)}"/>) +
          %(<circle cx="#{at}" cy="#{y}" r="4"/></g>)
      end.join
    end

    def axis(tick, unit)
      return CCBench.amount(tick, unit) if unit == "us"

      tick >= 1e6 ? format("%g M", tick / 1e6) : tick >= 1e3 ? format("%g k", tick / 1e3) : format("%g", tick)
    end

    def table(kind, groups)
      rows = groups.flat_map do |(_, work, _), figures|
        figures.map(&:threads).uniq.sort.map do |threads|
          cells = @figures.runs.map do |run|
            figure = @figures.find(run, kind, work, threads)
            next "<td>-</td>" unless figure

            kept = figure.kept_median
            "<td>#{escape(@figures.value(figure))}#{"<br><small>the others keep #{kept.round} %</small>" if kept}</td>"
          end
          "<tr><th scope=\"row\">#{escape(work)}, #{threads}</th>#{cells.join}</tr>"
        end
      end
      head = @figures.runs.map { |run| "<th>#{escape(run.label)}</th>" }.join
      %(<details><summary>Figures</summary><div class="table" tabindex="0" role="region") +
        %( aria-label="#{escape(kind)}"><table><thead><tr><th>beside</th>#{head}</tr></thead>) +
        "<tbody>#{rows.join}</tbody></table></div></details>"
    end

    STYLE = <<~CSS
      :root {
        --page: #fbfaf8; --card: #ffffff; --ink: #1d2126; --soft: #5c6570; --line: #d9dce0; --accent: #1f5fa8;
        --alarm: #fff3d6; --alarm-ink: #6b4a00;
        --c0: #b3122d; --c1: #2f6db5; --c2: #2f7d42; --c3: #a8640b; --c4: #7a4fa3; --c5: #4c4c4c;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --page: #15181c; --card: #1d2126; --ink: #e6e9ec; --soft: #9aa5b1; --line: #353b43; --accent: #7db4ee;
          --alarm: #3a2f12; --alarm-ink: #f2d58a;
          --c0: #ff6b81; --c1: #6aa9ee; --c2: #67c17c; --c3: #e8a64a; --c4: #b78de0; --c5: #b9bec4;
        }
      }
      * { box-sizing: border-box; }
      body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 1200px; margin: 0 auto; padding: 20px 16px 60px; }
      h1 { font-size: 1rem; font-weight: 600; color: var(--soft); margin: 0 0 8px; }
      h2 { font-size: 1.15rem; margin: 32px 0 4px; text-wrap: pretty; }
      .summary p { font-size: 1.05rem; margin: 0 0 8px; text-wrap: pretty; overflow-wrap: anywhere; max-width: 75em; }
      .summary p:first-child { font-size: clamp(1.15rem, 1rem + 0.8vw, 1.5rem); line-height: 1.4; }
      .warning {
        background: var(--alarm); color: var(--alarm-ink); border-radius: 8px; padding: 8px 12px; margin: 0 0 12px;
      }
      .facts { color: var(--soft); margin: 0 0 8px; overflow-wrap: anywhere; }
      .legend { list-style: none; padding: 0; margin: 16px 0 0; }
      .legend i { display: inline-block; width: 12px; height: 12px; border-radius: 6px; margin-right: 8px; }
      .legend li { overflow-wrap: anywhere; color: var(--soft); }
      .legend b { color: var(--ink); }
      .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(290px, 100%), 1fr)); gap: 12px; }
      figure {
        margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px;
        max-width: 560px;
      }
      figcaption { font-size: 0.92rem; font-weight: 600; }
      svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--soft); }
      .grid { stroke: var(--line); }
      polyline { fill: none; stroke-width: 1.5; opacity: 0.55; }
      .range { stroke-width: 3; stroke-linecap: round; opacity: 0.6; }
      #{(0..5).map { |i|
        "svg .s#{i} { stroke: var(--c#{i}); } svg g.s#{i} circle { fill: var(--c#{i}); stroke: none; } " \
        "i.s#{i} { background: var(--c#{i}); }"
      }.join("\n")}
      details { margin: 8px 0 0; }
      summary { cursor: pointer; color: var(--accent); width: fit-content; }
      :focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
      .table {
        overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-top: 6px;
      }
      table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
      th, td { padding: 5px 10px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
      thead th { border-top: 0; color: var(--soft); }
      tbody th { font-weight: 400; color: var(--soft); white-space: nowrap; }
      small { color: var(--soft); }
    CSS
  end
end
