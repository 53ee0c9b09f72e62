# A signal that arrives while a finalizer runs is for the code that was interrupted.
done = false
finalizer = proc do
  Process.kill(:INT, $$)
  sleep 0.05
  done = true
end
ObjectSpace.define_finalizer(Object.new, finalizer)
begin
  100_000.times { Array.new(100) { Object.new } until done }
  caught = nil
rescue Interrupt => e
  caught = e.class
end
caught # => Interrupt
done # => true
