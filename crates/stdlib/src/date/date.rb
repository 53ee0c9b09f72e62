# Date and DateTime: what Ruby says best. Arithmetic is native; reading text without a pattern is parse.rb.

class Date

  class Error < ArgumentError; end

  MONTHNAMES = [nil, "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December"].map { |name| name && name.encode("US-ASCII").freeze }.freeze
  ABBR_MONTHNAMES = MONTHNAMES.map { |name| name && name[0, 3].freeze }.freeze
  DAYNAMES = %w[Sunday Monday Tuesday Wednesday Thursday Friday Saturday].map { |name|
    name.encode("US-ASCII").freeze
  }.freeze
  ABBR_DAYNAMES = DAYNAMES.map { |name| name[0, 3].freeze }.freeze

  class << self
    def valid_jd?(jd, start = ITALY)
      Numeric === jd
    end

    def valid_civil?(year, month, mday, start = ITALY)
      Numeric === year && Numeric === month && Numeric === mday &&
        !!Primitive.date_jd_of(self, :civil, start, year, month, mday)
    end
    alias valid_date? valid_civil?

    def valid_ordinal?(year, yday, start = ITALY)
      Numeric === year && Numeric === yday && !!Primitive.date_jd_of(self, :ordinal, start, year, yday)
    end

    def valid_commercial?(cwyear, cweek, cwday, start = ITALY)
      Numeric === cwyear && Numeric === cweek && Numeric === cwday &&
        !!Primitive.date_jd_of(self, :commercial, start, cwyear, cweek, cwday)
    end

    def gregorian_leap?(year)
      raise TypeError, "invalid year (not numeric)" unless Numeric === year
      year % 4 == 0 && year % 100 != 0 || year % 400 == 0
    end
    alias leap? gregorian_leap?

    def julian_leap?(year)
      raise TypeError, "invalid year (not numeric)" unless Numeric === year
      year % 4 == 0
    end

    def today(start = ITALY)
      now = Primitive.date_now(self)
      civil(now.year, now.mon, now.mday).__send__(:__restart, start)
    end

    def _strptime(string, format = "%F") = __strptime(string, format)

    def __strptime(string, format)
      hash = Primitive.date_strptime(self, string, format) or return
      if (century = hash.delete(:_cent))
        hash[:cwyear] += century * 100 if hash[:cwyear]
        hash[:year] += century * 100 if hash[:year]
      end
      if (half = hash.delete(:_merid))
        hash[:hour] = hash[:hour] % 12 + half if hash[:hour]
      end
      hash
    end

    def strptime(string = "-4712-01-01", format = "%F", start = ITALY)
      __from_parts(__strptime(string, format), start)
    end

    def _load(string)
      parts = Marshal.load(string)
      allocate.tap { |date| date.marshal_load(parts) }
    end

    %i[_parse _iso8601 _rfc3339 _xmlschema _rfc2822 _rfc822 _httpdate _jisx0301].each do |name|
      define_method(name) do |*args, **options|
        Primitive.date_load_parse(Date)
        __send__(name, *args, **options)
      end
    end

    def parse(string = "-4712-01-01", comp = true, start = ITALY, limit: 128)
      __from_parts(_parse(string, comp, limit: limit), start)
    end

    def iso8601(string = "-4712-01-01", start = ITALY, limit: 128)
      __from_parts(_iso8601(string, limit: limit), start)
    end

    def rfc3339(string = "-4712-01-01T00:00:00+00:00", start = ITALY, limit: 128)
      __from_parts(_rfc3339(string, limit: limit), start)
    end

    def xmlschema(string = "-4712-01-01", start = ITALY, limit: 128)
      __from_parts(_xmlschema(string, limit: limit), start)
    end

    def rfc2822(string = "Mon, 1 Jan -4712 00:00:00 +0000", start = ITALY, limit: 128)
      __from_parts(_rfc2822(string, limit: limit), start)
    end
    alias rfc822 rfc2822

    def httpdate(string = "Mon, 01 Jan -4712 00:00:00 GMT", start = ITALY, limit: 128)
      __from_parts(_httpdate(string, limit: limit), start)
    end

    def jisx0301(string = "-4712-01-01", start = ITALY, limit: 128)
      __from_parts(_jisx0301(string, limit: limit), start)
    end

    private

    # A date of parts that were read.
    def __from_parts(hash, start)
      jd(__day_of_parts(hash, start) || raise(Error, "invalid date"), start)
    end

    # The day number of parts, completed from today where they leave out the larger units.
    def __day_of_parts(hash, start)
      raise Error, "invalid date" unless hash
      if !hash[:jd] && !hash[:yday] && hash[:year] && hash[:mon] && hash[:mday]
        return Primitive.date_jd_of(self, :civil, start, hash[:year], hash[:mon], hash[:mday])
      end
      __split_seconds(hash)
      __complete(hash)
      __find_day(hash, start)
    end

    def __split_seconds(hash)
      seconds = hash.delete(:seconds) or return
      seconds += hash[:offset] if hash[:offset]
      days, rest = seconds.divmod(86400)
      hash[:jd] = 2440588 + days
      hash[:hour], rest = rest.divmod(3600)
      hash[:min], rest = rest.divmod(60)
      hash[:sec], hash[:sec_fraction] = rest.divmod(1)
    end

    # What a date can be told by, and the parts of each way. Of equally good ones the first is taken.
    WAYS = [
      [:time, %i[hour min sec]],
      [nil, %i[jd]],
      [:ordinal, %i[year yday hour min sec]],
      [:civil, %i[year mon mday hour min sec]],
      [:commercial, %i[cwyear cweek cwday hour min sec]],
      [:wday, %i[wday hour min sec]],
      [:wnum0, %i[year wnum0 wday hour min sec]],
      [:wnum1, %i[year wnum1 wday hour min sec]],
      [nil, %i[cwyear cweek wday hour min sec]],
      [nil, %i[year wnum0 cwday hour min sec]],
      [nil, %i[year wnum1 cwday hour min sec]],
    ].freeze
    private_constant :WAYS

    # What stands for the smaller units that are left out.
    FIRST = { ordinal: { yday: 1 }, civil: { mon: 1, mday: 1 }, commercial: { cweek: 1, cwday: 1 },
              wnum0: { wnum0: 0, wday: 0 }, wnum1: { wnum1: 0, wday: 1 } }.freeze
    private_constant :FIRST

    def __complete(hash)
      way, parts, count = nil, nil, 0
      WAYS.each do |name, names|
        known = names.count { |part| hash[part] }
        way, parts, count = name, names, known if known > count
      end
      if way && parts.size > count
        if way == :wday
          today = Date.today
          hash[:jd] = today.jd - today.wday + hash[:wday]
        elsif way != :time
          today = nil
          parts.each do |part|
            break if hash[part]
            hash[part] = (today ||= Date.today).__send__(part == :wnum0 || part == :wnum1 ? :wday : part)
          end
          FIRST[way].each { |part, first| hash[part] ||= first }
        end
      end
      hash[:jd] ||= Date.today.jd if way == :time && self <= DateTime
      hash[:hour] ||= 0
      hash[:min] ||= 0
      hash[:sec] = hash[:sec] ? [hash[:sec], 59].min : 0
    end

    def __find_day(hash, start)
      year = hash[:year]
      return hash[:jd] if hash[:jd]
      found = Primitive.date_jd_of(self, :ordinal, start, year, hash[:yday]) if year && hash[:yday]
      if year && hash[:mon] && hash[:mday]
        found ||= Primitive.date_jd_of(self, :civil, start, year, hash[:mon], hash[:mday])
      end
      wday = hash[:wday]
      cwday = hash[:cwday]
      day = cwday || (wday && (wday == 0 ? 7 : wday))
      if day && hash[:cweek] && hash[:cwyear]
        found ||= Primitive.date_jd_of(self, :commercial, start, hash[:cwyear], hash[:cweek], day)
      end
      day = wday || (cwday && (cwday == 7 ? 0 : cwday))
      found ||= Primitive.date_jd_of(self, :weeknum, start, year, hash[:wnum0], day, 0) if day && year && hash[:wnum0]
      day = wday || cwday
      if day && year && hash[:wnum1]
        found ||= Primitive.date_jd_of(self, :weeknum, start, year, hash[:wnum1], (day - 1) % 7, 1)
      end
      found
    end
  end

  DAYNAMES.each_with_index do |name, number|
    define_method(:"#{name.downcase}?") { wday == number }
  end

  def italy = new_start(ITALY)
  def england = new_start(ENGLAND)
  def julian = new_start(JULIAN)
  def gregorian = new_start(GREGORIAN)

  def <<(months)
    raise TypeError, "expected numeric" unless Numeric === months
    self >> -months
  end

  def next_day(days = 1) = self + days
  def prev_day(days = 1) = self - days
  def next_month(months = 1) = self >> months
  def prev_month(months = 1) = self << months
  def next_year(years = 1) = self >> years * 12
  def prev_year(years = 1) = self << years * 12

  def next = next_day
  alias succ next

  def step(limit, by = 1)
    return to_enum(:step, limit, by) unless block_given?
    date = self
    order = by <=> 0
    raise ArgumentError, "comparison failed" unless order
    if order < 0
      while date >= limit
        yield date
        date += by
      end
    elsif order == 0
      loop { yield date }
    else
      while date <= limit
        yield date
        date += by
      end
    end
    self
  end

  def upto(max)
    return to_enum(:upto, max) unless block_given?
    date = self
    while date <= max
      yield date
      date += 1
    end
    self
  end

  def downto(min)
    return to_enum(:downto, min) unless block_given?
    date = self
    while date >= min
      yield date
      date -= 1
    end
    self
  end

  def asctime = strftime("%a %b %e %H:%M:%S %Y")
  alias ctime asctime

  def rfc3339 = strftime("%Y-%m-%dT%H:%M:%S%:z")
  def rfc2822 = strftime("%a, %-d %b %Y %T %z")
  alias rfc822 rfc2822

  def httpdate = Primitive.date_with_offset(self, 0).strftime("%a, %d %b %Y %T GMT")
  def jisx0301 = strftime(__era_format)

  def deconstruct_keys(keys) = __deconstruct(keys, %i[year month day yday wday])

  def to_time
    date = julian? ? gregorian : self
    Time.local(date.year, date.mon, date.mday)
  end

  def to_date = self
  def to_datetime = Primitive.date_at(DateTime, jd, 0, 0, start)

  private

  # The first day numbers of the eras of Japan since the reform of its calendar.
  ERAS = [[2458605, "R", 2018], [2447535, "H", 1988], [2424875, "S", 1925], [2419614, "T", 1911],
          [2405160, "M", 1867]].freeze
  private_constant :ERAS

  def __era_format
    number = jd
    _, letter, zero = ERAS.find { |first, _, _| number >= first }
    letter ? format("%s%02d.%%m.%%d", letter, year - zero) : "%Y-%m-%d"
  end

  def __restart(start) = start.equal?(ITALY) ? self : new_start(start)

  def __deconstruct(keys, known)
    case keys
    when nil then known.to_h { |key| [key, __send__(key)] }
    when Array then keys.each_with_object({}) { |key, hash| hash[key] = __send__(key) if known.include?(key) }
    else raise TypeError, "wrong argument type #{keys.class} (expected Array or nil)"
    end
  end
end

class DateTime < Date
  class << self
    undef_method :today

    def now(start = Date::ITALY)
      now = Primitive.date_now(self)
      Primitive.date_at(self, Primitive.date_jd_of(Date, :civil, Date::GREGORIAN, now.year, now.mon, now.mday),
           now.hour * 3600 + now.min * 60 + now.sec + Rational(now.nsec, 1000000000), now.utc_offset, start)
    end

    def _strptime(string, format = "%FT%T%z") = __strptime(string, format)

    def strptime(string = "-4712-01-01T00:00:00+00:00", format = "%FT%T%z", start = Date::ITALY)
      __from_parts(__strptime(string, format), start)
    end

    def parse(string = "-4712-01-01T00:00:00+00:00", comp = true, start = Date::ITALY, limit: 128)
      __from_parts(_parse(string, comp, limit: limit), start)
    end

    def iso8601(string = "-4712-01-01T00:00:00+00:00", start = Date::ITALY, limit: 128)
      __from_parts(_iso8601(string, limit: limit), start)
    end

    def rfc3339(string = "-4712-01-01T00:00:00+00:00", start = Date::ITALY, limit: 128)
      __from_parts(_rfc3339(string, limit: limit), start)
    end

    def xmlschema(string = "-4712-01-01T00:00:00+00:00", start = Date::ITALY, limit: 128)
      __from_parts(_xmlschema(string, limit: limit), start)
    end

    def rfc2822(string = "Mon, 1 Jan -4712 00:00:00 +0000", start = Date::ITALY, limit: 128)
      __from_parts(_rfc2822(string, limit: limit), start)
    end

    alias rfc822 rfc2822

    def httpdate(string = "Mon, 01 Jan -4712 00:00:00 GMT", start = Date::ITALY, limit: 128)
      __from_parts(_httpdate(string, limit: limit), start)
    end

    def jisx0301(string = "-4712-01-01T00:00:00+00:00", start = Date::ITALY, limit: 128)
      __from_parts(_jisx0301(string, limit: limit), start)
    end

    private

    def __from_parts(hash, start)
      day = __day_of_parts(hash, start) || raise(Date::Error, "invalid date")
      hour = hash[:hour] || 0
      min = hash[:min] || 0
      sec = hash[:sec] || 0
      sec = 59 if sec == 60
      hour += 24 if hour < 0
      unless hour < 24 && min < 60 && sec < 60 || hour == 24 && min == 0 && sec == 0
        raise Date::Error, "invalid date"
      end
      seconds = hour * 3600 + min * 60 + sec
      seconds += hash[:sec_fraction] if hash[:sec_fraction]
      offset = hash[:offset] || 0
      if offset < -86400 || offset > 86400
        warn "invalid offset is ignored", uplevel: 1 if $VERBOSE
        offset = 0
      end
      Primitive.date_at(self, day, seconds, offset.to_i, start)
    end
  end

  def iso8601(digits = 0) = strftime("%Y-%m-%dT%H:%M:%S#{__fraction_format(digits)}%:z")
  alias xmlschema iso8601
  def rfc3339(digits = 0) = iso8601(digits)
  def jisx0301(digits = 0) = strftime("#{__era_format}T%H:%M:%S#{__fraction_format(digits)}%:z")

  def deconstruct_keys(keys)
    __deconstruct(keys, %i[year month day yday wday hour min sec sec_fraction zone])
  end

  def to_time
    date = julian? ? gregorian : self
    Time.new(date.year, date.mon, date.mday, date.hour, date.min, date.sec + date.sec_fraction,
             Primitive.date_offset(date))
  end

  def to_date = Primitive.date_at(Date, jd, 0, 0, start)
  def to_datetime = self

  private

  def __fraction_format(digits)
    digits = digits.to_int
    digits < 1 ? "" : ".%<width>dN".sub("%<width>d", "%#{digits}")
  end
end

class Time
  def to_time = self

  def to_date
    Primitive.date_at(Date, Primitive.date_jd_of(Date, :civil, Date::GREGORIAN, year, mon, mday), 0, 0, Date::ITALY)
  end

  def to_datetime
    day = Primitive.date_jd_of(Date, :civil, Date::GREGORIAN, year, mon, mday)
    Primitive.date_at(DateTime, day, hour * 3600 + min * 60 + sec + Rational(subsec), utc_offset, Date::ITALY)
  end
end
