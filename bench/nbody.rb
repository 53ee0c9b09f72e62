# Planets under gravity: floating-point arithmetic on instance variables.
class Body
  attr_accessor :x, :y, :z, :vx, :vy, :vz, :mass

  def initialize(x, y, z, vx, vy, vz, mass)
    @x, @y, @z, @vx, @vy, @vz, @mass = x, y, z, vx, vy, vz, mass
  end
end

SOLAR_MASS = 4 * Math::PI**2
YEAR = 365.24

def planet(x, y, z, vx, vy, vz, mass)
  Body.new(x, y, z, vx * YEAR, vy * YEAR, vz * YEAR, mass * SOLAR_MASS)
end

BODIES = [
  Body.new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, SOLAR_MASS),
  planet(4.84143144246472090, -1.16032004402742839, -0.103622044471123109,
         0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
  planet(8.34336671824457987, 4.12479856412430479, -0.403523417114321381,
         -0.00276742510726411938, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
  planet(12.8943695621391310, -15.1111514016986312, -0.223307578892655734,
         0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298),
  planet(15.3796971148509165, -25.9193146099879641, 0.179258772950371181,
         0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451),
].freeze

def advance(bodies, dt)
  count = bodies.size
  i = 0
  while i < count
    a = bodies[i]
    j = i + 1
    while j < count
      b = bodies[j]
      dx = a.x - b.x
      dy = a.y - b.y
      dz = a.z - b.z
      squared = dx * dx + dy * dy + dz * dz
      pull = dt / (squared * Math.sqrt(squared))
      a.vx -= dx * b.mass * pull
      a.vy -= dy * b.mass * pull
      a.vz -= dz * b.mass * pull
      b.vx += dx * a.mass * pull
      b.vy += dy * a.mass * pull
      b.vz += dz * a.mass * pull
      j += 1
    end
    a.x += dt * a.vx
    a.y += dt * a.vy
    a.z += dt * a.vz
    i += 1
  end
end

def energy(bodies)
  total = 0.0
  bodies.each_with_index do |a, i|
    total += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
    bodies[i + 1..].each do |b|
      distance = Math.sqrt((a.x - b.x)**2 + (a.y - b.y)**2 + (a.z - b.z)**2)
      total -= a.mass * b.mass / distance
    end
  end
  total
end

sun = BODIES[0]
BODIES.each do |body|
  sun.vx -= body.vx * body.mass / SOLAR_MASS
  sun.vy -= body.vy * body.mass / SOLAR_MASS
  sun.vz -= body.vz * body.mass / SOLAR_MASS
end

puts format("%.9f", energy(BODIES))
200_000.times { advance(BODIES, 0.01) }
puts format("%.9f", energy(BODIES))
