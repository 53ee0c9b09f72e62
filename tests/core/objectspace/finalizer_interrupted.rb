# An exception from another thread reaches the code that started the collection, after the finalizers.
ran = []
define_singleton_method(:leave) do |count|
  count.times { ObjectSpace.define_finalizer(Object.new, proc { sleep 0.1; ran << :ran }) }
end
def deep(count, level) = level == 0 ? leave(count) : deep(count, level - 1)
deep(4, 50)
error = Class.new(StandardError)
main = Thread.current
sender = Thread.new { Thread.pass until ran.any?; main.raise(error) }
outcome =
  begin
    GC.start
    sleep(10)
    :slept
  rescue error
    :raised
  end
outcome # => :raised
ran.size > 1 # => true
