# Fibers as tasks of a small scheduler.
class Loop
  def initialize = (@ready, @clock, @sleeping = [], 0, [])
  def spawn(name, &body) = @ready << [name, Fiber.new(&body)]
  def run
    log = []
    until @ready.empty? && @sleeping.empty?
      if @ready.empty?
        @sleeping.sort_by!(&:first)
        @clock, *task = @sleeping.shift.flatten(1)
        @ready << task
      end
      name, fiber = @ready.shift
      case fiber.resume
      in [:sleep, time] then @sleeping << [@clock + time, name, fiber]
      in [:log, text] then log << "#{@clock} #{name} #{text}"; @ready << [name, fiber]
      else log << "#{@clock} #{name} done"
      end
    end
    log
  end
end
l = Loop.new
l.spawn(:a) { Fiber.yield [:log, "start"]; Fiber.yield [:sleep, 5]; Fiber.yield [:log, "awake"]; nil }
l.spawn(:b) { 2.times { |i| Fiber.yield [:log, "step #{i}"]; Fiber.yield [:sleep, 2] } ; nil }
l.run.each { |line| puts line }
# prints: 0 a start
# prints: 0 b step 0
# prints: 2 b step 1
# prints: 4 b done
# prints: 5 a awake
# prints: 5 a done
