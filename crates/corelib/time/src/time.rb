class Time
  def sunday? = wday == 0
  def monday? = wday == 1
  def tuesday? = wday == 2
  def wednesday? = wday == 3
  def thursday? = wday == 4
  def friday? = wday == 5
  def saturday? = wday == 6

  def deconstruct_keys(keys)
    all = { year: year, month: month, day: day, yday: yday, wday: wday, hour: hour, min: min, sec: sec, subsec: subsec,
            dst: dst?, zone: zone }
    return all if keys.nil?
    raise TypeError, "wrong argument type #{keys.class} (expected Array or nil)" unless Array === keys
    all.slice(*keys)
  end
end
