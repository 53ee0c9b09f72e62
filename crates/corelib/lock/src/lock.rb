module Rubellite::Lock
  # Traces the lock into a file while the block runs; gives the block's value.
  def self.trace(path)
    raise ArgumentError, "no block given" unless block_given?
    start_trace(path)
    begin
      yield
    ensure
      stop_trace
    end
  end

  # The counters as a table, a line per thread.
  def self.report
    all = stats
    lines = [format("%-28s %9s %9s %12s %12s %12s  %s", "thread", "runs", "waits", "held ms", "waited ms", "outside ms", "longest wait")]
    all[:threads].each { |thread, own| lines << __line(__label(thread), own) }
    lines << __line("all, with those that ended", all[:total])
    lines.join("\n") << "\n"
  end

  def self.__label(thread)
    return "main" if thread == Thread.main
    thread.name || thread.inspect[/ ([^ ]+) [^ ]+>\z/, 1] || "thread"
  end

  def self.__line(label, own)
    longest = own[:longest_wait]
    wait = longest ? format("%.3f ms (%s)%s", longest[:ns] / 1e6, longest[:reason], longest[:behind] ? " behind #{__label(longest[:behind])}" : "") : "-"
    label = "...#{label[-25..]}" if label.size > 28
    format("%-28s %9d %9d %12.3f %12.3f %12.3f  %s", label, own[:runs], own[:waits], own[:held_ns] / 1e6, own[:waited_ns] / 1e6, own[:outside_ns] / 1e6, wait)
  end

  private_class_method :__label, :__line
end
