# Timeout: one thread watches over the deadlines of all others. It sleeps until the earliest and raises in the thread
# whose time has run out.
module Timeout
  VERSION = "0.5.0"

  # What is raised when no class is given: no `rescue` inside the block catches it, and it becomes a Timeout::Error outside.
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
      @mutex = Mutex.new
      @done = false
    end

    def done?
      @mutex.synchronize { @done }
    end

    def expired?(now)
      now >= @deadline
    end

    # The mutex keeps the exception from arriving after the block has ended.
    def interrupt
      @mutex.synchronize do
        unless @done
          @thread.raise(@exception, @message)
          @done = true
        end
      end
    end

    def finish
      @mutex.synchronize { @done = true }
    end
  end
  private_constant :Request

  # The requests, soonest first, and the thread that watches them.
  class Watch
    def initialize
      @mutex = Mutex.new
      @changed = ConditionVariable.new
      @requests = []
      @thread = nil
      @pid = Process.pid
    end

    def add(request)
      start unless @thread&.alive? && @pid == Process.pid
      @mutex.synchronize do
        at = @requests.bsearch_index { |other| other.deadline > request.deadline } || @requests.size
        @requests.insert(at, request)
        @changed.signal if at == 0
      end
    end

    private

    # A fork leaves the thread behind, and the mutex as it was.
    def start
      if @pid != Process.pid
        @pid = Process.pid
        @mutex = Mutex.new
        @changed = ConditionVariable.new
        @requests = []
        @thread = nil
      end
      @mutex.synchronize do
        return if @thread&.alive?
        # The masks of whoever comes first are not the watching thread's.
        @thread = Thread.handle_interrupt(Object => :immediate) { Thread.new { watch } }
        @thread.name = "Timeout stdlib thread"
        @thread.thread_variable_set(:"\0__detached_thread__", true)
        ThreadGroup::Default.add(@thread) unless @thread.group.enclosed?
      end
    end

    def watch
      loop do
        due = @mutex.synchronize do
          @requests.reject!(&:done?) if @requests.first&.done? || @requests.size > 64
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          if @requests.empty?
            @changed.wait(@mutex)
          elsif !@requests.first.expired?(now)
            @changed.wait(@mutex, @requests.first.deadline - now)
          end
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          count = @requests.find_index { |request| !request.expired?(now) } || @requests.size
          @requests.shift(count)
        end
        due.each(&:interrupt)
      end
    end
  end
  private_constant :Watch

  WATCH = Watch.new
  private_constant :WATCH

  def self.timeout(seconds, exception = nil, message = nil, &block)
    return yield(seconds) if seconds.nil? || seconds.zero?
    raise ArgumentError, "Timeout sec must be a non-negative number" if seconds.negative?
    message ||= "execution expired"

    scheduler = Fiber.current_scheduler
    if scheduler&.respond_to?(:timeout_after)
      perform = ->(raised) { scheduler.timeout_after(seconds, raised, message, &block) }
    else
      perform = lambda do |raised|
        request = Request.new(Thread.current, seconds, raised, message)
        begin
          WATCH.add(request)
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
