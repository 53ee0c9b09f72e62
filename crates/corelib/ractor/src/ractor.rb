class Ractor
  class Error < RuntimeError; end
  class IsolationError < Error; end
  class MovedError < Error; end
  class UnsafeError < Error; end
  class ClosedError < StopIteration; end

  class RemoteError < Error
    attr_reader :ractor
  end

  # What is left of an object that was moved to another ractor.
  class MovedObject < BasicObject
    def method_missing(*) = ::Kernel.raise(MovedError, "can not send any methods to a moved object")

    %i[== ! != __send__ __id__ instance_eval instance_exec equal?].each do |name|
      alias_method name, :method_missing
    end
  end

  class << self
    # When the first ractor beside the main one is made: what a program, or RubyGems, made of `require` uses the main
    # ractor's objects.
    def _activated
      by_main = Module.new do
        def require(feature) = Ractor.main? ? super : Ractor._require(feature)
      end
      by_main.set_temporary_name("<RactorRequire>")
      Kernel.prepend(by_main)
    end
    private :_activated

    def receive = current.default_port.receive
    alias recv receive

    def select(*ports)
      raise ArgumentError, "specify at least one Ractor::Port or Ractor" if ports.empty?
      watched = {}
      ports = ports.map do |given|
        case given
        when Ractor
          port = Port.new
          watched[port] = given
          given.monitor(port)
          port
        when Port then given
        else raise ArgumentError, "should be Ractor::Port or Ractor"
        end
      end
      begin
        port, message = Primitive.ractor_select(self, ports)
        ractor = watched[port]
        ractor ? [ractor, ractor.value] : [port, message]
      ensure
        watched.each do |watching, ractor|
          ractor.unmonitor(watching)
          watching.close
        end
      end
    end

    def store_if_absent(name)
      Primitive.ractor_locals_mutex(self).synchronize do
        found = self[name]
        found.nil? ? self[name] = yield(nil) : found
      end
    end
  end

  def send(...)
    default_port.send(...)
    self
  end
  alias << send

  def close = default_port.close

  def join
    port = Port.new
    monitor(port)
    Primitive.ractor_outcome(self) if port.receive == :aborted
    self
  ensure
    port&.close
  end

  def value
    join
    Primitive.ractor_outcome(self)
  end

  private def receive = default_port.receive
  alias recv receive
  private :recv
end
