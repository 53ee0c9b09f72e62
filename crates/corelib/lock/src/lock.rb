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

  # What a piece of work of one thread did with the lock; times are integer nanoseconds. `behind` is the name of the
  # thread that held the lock for the largest part of the longest wait, `behind_ns` how long, `place` where it stood
  # when it gave the lock away ("file.rb:42").
  Measure = Data.define(:value, :wall_ns, :held_ns, :waited_ns, :outside_ns, :waits, :longest_wait_ns, :behind,
                        :behind_ns, :place) do
    # So many threads that work like this one keep the lock busy; more of them only queue. Waits do not count, as they
    # are what too many threads bring. Denning and Buzen's utilization law: the lock is busy for threads * held / (held
    # + outside) of the time.
    def useful_threads
      held_ns.zero? ? Float::INFINITY : (held_ns + outside_ns) / held_ns.to_f
    end
  end

  # A measurement, for blocks that want to know how far it is, and for those whom an exception ends.
  class Measuring
    def initialize(number) = @__number = number

    # The Measure so far, or that of the whole block when it has ended. nil in another thread while the block runs.
    def read
      @__ended || Measuring.__read(@__number, nil, false)
    end

    def __end(value)
      @__ended = Measuring.__read(@__number, value, true)
    end

    def self.__read(number, value, ends)
      numbers = Primitive.lock_read_measure(self, number, ends) and Measure.new(value, *numbers)
    end
  end

  # Measures what the running thread does in the block, which is given a Measuring, and returns a Measure,
  # whose `value` is the block's.
  def self.measure
    raise ArgumentError, "no block given" unless block_given?
    measuring = Measuring.new(Primitive.lock_start_measure(self))
    value = nil
    begin
      value = yield(measuring)
    ensure
      measuring.__end(value)
    end
    measuring.read
  end

  # The counters as a table, a line per thread.
  def self.report
    all = stats
    lines = [format("%-28s %9s %9s %12s %12s %12s  %s", "thread", "runs", "waits", "held ms", "waited ms", "outside ms",
                    "longest wait")]
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
    wait =
      if longest
        format("%.3f ms (%s)%s", longest[:ns] / 1e6, longest[:reason],
               longest[:behind] ? " behind #{__label(longest[:behind])}" : "")
      else
        "-"
      end
    label = "...#{label[-25..]}" if label.size > 28
    format("%-28s %9d %9d %12.3f %12.3f %12.3f  %s", label, own[:runs], own[:waits], own[:held_ns] / 1e6,
           own[:waited_ns] / 1e6, own[:outside_ns] / 1e6, wait)
  end

  private_class_method :__label, :__line
end
