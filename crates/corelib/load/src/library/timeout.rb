# Timeout: one thread watches over the deadlines of all others. It sleeps until the earliest and raises in the thread
# whose time has run out.
module Timeout
  VERSION = "0.5.0"

  # What is raised when no class is given: no `rescue` inside the block catches it,
  # and it becomes a Timeout::Error outside.
  class ExitException < Exception
    def exception(*)
      self
    end
  end

  class Error < RuntimeError
    def self.handle_timeout(message)
      exit = ExitException.new(message)
      begin
        yield exit
      rescue ExitException => caught
        raise new(message) if exit.equal?(caught)
        raise
      end
    end
  end

  # One running `timeout`.
  class Request
    attr_reader :deadline

    def initialize(thread, seconds, exception, message)
      @thread = thread
      @deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
      @exception = exception
      @message = message
      # The handler of a signal may enter a monitor, but lock no mutex.
      @monitor = Monitor.new
      @done = false
    end

    def expired?(now)
      now >= @deadline
    end

    # The monitor keeps the exception from arriving after the block has ended.
    def interrupt
      @monitor.synchronize do
        unless @done
          @thread.raise(@exception, @message)
          @done = true
        end
      end
    end

    # Another exception must not end the wait for the monitor: the request would stay, and interrupt what comes later.
    def finish
      Thread.handle_interrupt(Object => :never) do
        @monitor.synchronize { @done = true }
        @watcher ? @watcher.kill : State.instance.remove(self)
      end
    end

    # For a request of a signal's handler: a thread of its own.
    def watch_alone
      @watcher = Thread.new do
        now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        sleep(@deadline - now) if @deadline > now
        interrupt
      end
    end
  end
  private_constant :Request

  # The requests, soonest first, and the thread that watches them.
  class State
    def self.instance
      INSTANCE
    end

    def initialize
      @mutex = Mutex.new
      @changed = ConditionVariable.new
      @requests = []
      @wakes_at = nil
      @timeout_thread = nil
      @pid = Process.pid
    end

    # Handlers of signals can lock no mutex.
    def add(request)
      enlist(request)
    rescue ThreadError => error
      raise unless error.message == "can't be called from trap context"
      request.watch_alone
    end

    # In a child that a fork made, the mutex may be held by a thread that is not there.
    def remove(request)
      return if @pid != Process.pid
      @mutex.synchronize do
        at = @requests.bsearch_index { |other| other.deadline >= request.deadline }
        at += 1 while at && at < @requests.size && !@requests[at].equal?(request)
        @requests.delete_at(at) if at
      end
    end

    private

    def enlist(request)
      start unless @timeout_thread&.alive? && @pid == Process.pid
      @mutex.synchronize do
        at = @requests.bsearch_index { |other| other.deadline > request.deadline } || @requests.size
        @requests.insert(at, request)
        if @wakes_at.nil? || request.deadline < @wakes_at
          @wakes_at = request.deadline
          @changed.signal
        end
      end
    end

    # A fork leaves the thread behind, and the mutex as it was.
    def start
      if @pid != Process.pid
        @pid = Process.pid
        @mutex = Mutex.new
        @changed = ConditionVariable.new
        @requests = []
        @wakes_at = nil
        @timeout_thread = nil
      end
      @mutex.synchronize do
        return if @timeout_thread&.alive?
        # The masks of whoever comes first are not the watching thread's.
        @timeout_thread = Thread.handle_interrupt(Object => :immediate) { Thread.new { watch } }
        @timeout_thread.name = "Timeout stdlib thread"
        @timeout_thread.thread_variable_set(:"\0__detached_thread__", true)
        ThreadGroup::Default.add(@timeout_thread) unless @timeout_thread.group.enclosed?
      end
    end

    def watch
      loop do
        due = @mutex.synchronize do
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          # A wait that was for a finished request stands: programs with many short ones need not wake the thread for
          # each.
          @wakes_at = nil if @wakes_at && now >= @wakes_at
          first = @requests.first&.deadline
          @wakes_at = first if first && (@wakes_at.nil? || first < @wakes_at)
          if @wakes_at.nil?
            @changed.wait(@mutex)
          elsif now < @wakes_at
            @changed.wait(@mutex, @wakes_at - now)
          end
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          count = @requests.find_index { |request| !request.expired?(now) } || @requests.size
          @requests.shift(count)
        end
        due.each(&:interrupt)
      end
    end

    INSTANCE = new
  end
  private_constant :State

  def self.timeout(seconds, exception = nil, message = nil, &block)
    return yield(seconds) if seconds.nil? || seconds.zero?
    raise ArgumentError, "Timeout sec must be a non-negative number" if 0 > seconds
    message ||= "execution expired"

    scheduler = Fiber.current_scheduler
    if scheduler&.respond_to?(:timeout_after)
      perform = ->(raised) { scheduler.timeout_after(seconds, raised, message, &block) }
    else
      perform = lambda do |raised|
        request = Request.new(Thread.current, seconds, raised, message)
        begin
          State.instance.add(request)
          yield(seconds)
        ensure
          request.finish
        end
      end
    end
    exception ? perform.call(exception) : Error.handle_timeout(message, &perform)
  end

  private def timeout(*arguments, &block)
    Timeout.timeout(*arguments, &block)
  end
end
