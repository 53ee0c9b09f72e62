# Dates: reading free text and the fixed formats. Every reader gives a Hash of the parts that it found. A pattern's
# named groups are parts: the tables below say how each becomes a number.

class Date
  module Reading # :nodoc: all
    MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    DAY = "sun|mon|tue|wed|thu|fri|sat"
    LONG_DAY = "sunday|monday|tuesday|wednesday|thursday|friday|saturday"
    MONTHS = MONTH.split("|").each_with_index.to_h { |name, i| [name, i + 1] }.freeze
    DAYS = DAY.split("|").each_with_index.to_h.freeze
    DIGITS = '(?<!\d)\d+'
    ERA = '\b(?<era>c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))(?!(?<!\.)[a-z])'
    CLOCK = '(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2})(?:[,.](?<fraction>\d+))?)?'
    NUMBER_ZONE = '(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?'

    TIME = /(?<clock>#{DIGITS}\s*
             (?:(?::\s*\d+(?:\s*:\s*\d+(?:[,.]\d*)?)?|h(?:\s*\d+m?(?:\s*\d+s?)?)?)(?:\s*[ap](?:m\b|\.m\.))?|
                [ap](?:m\b|\.m\.)))
            (?:\s*(?<zone>#{NUMBER_ZONE}|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\stime\b|
                          (?-i:[[:alpha:]]+)(?:\sdst)?\b))?/ix
    CLOCK_PARTS = /\A(?<hour>\d+)h?
                   (?:\s*:?\s*(?<min>\d+)m?(?:\s*:?\s*(?<sec>\d+)(?:[,.](?<fraction>\d+))?s?)?)?
                   (?:\s*(?<half>[ap])(?:m\b|\.m\.))?/ix
    WEEKDAY = /\b(?<wday>#{DAY})[^-\/\d\s]*/i
    EUROPEAN = /(?<day>'?#{DIGITS})[^-\d\s]*\s*(?<month>#{MONTH})[^-\d\s']*
                (?:\s*(?:#{ERA})?\s*(?<year>'?-?\d+(?:(?:st|nd|rd|th)\b)?))?/ix
    AMERICAN = /\b(?<month>#{MONTH})[^-\d\s']*\s*(?<day>'?\d+)[^-\d\s']*
                (?:\s*+,?\s*+(?<era>c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))?\s*
                   (?<year>'?-?\d+))?/ix
    DASHES = /(?<year>'?[-+]?#{DIGITS})-(?<month>\d+)-(?<day>'?-?\d+)/
    JAPANESE = /\b(?<letter>[mtshr])(?<y>\d+)\.(?<mon>\d+)\.(?<mday>\d+)/i
    VMS = /(?<day>'?-?#{DIGITS})-(?<month>#{MONTH})[^-\/.]*-(?<year>'?-?\d+)/i
    VMS_MONTH = /\b(?<month>#{MONTH})[^-\/.]*-(?<day>'?-?\d+)(?:-(?<year>'?-?\d+))?/i
    SLASHES = /(?<year>'?-?#{DIGITS})\/\s*(?<month>'?\d+)(?:\D\s*(?<day>'?-?\d+))?/i
    DOTS = /(?<year>'?-?#{DIGITS})\.\s*(?<month>'?\d+)\.\s*(?<day>'?-?\d+)/i
    # Shorter forms of ISO 8601: what must not be in the text, and the pattern.
    SHORT = [
      [nil, /\b(?<cwyear>\d{2}|\d{4})?-?w(?<cweek>\d{2})(?:-?(?<cwday>\d))?\b/i],
      [nil, /-w-(?<cwday>\d)\b/i],
      [nil, /--(?<mon>\d{2})?-(?<mday>\d{2})\b/],
      [nil, /--(?<mon>\d{2})(?<mday>\d{2})?\b/],
      [/[,.](\d{2}|\d{4})-\d{3}\b/, /\b(?<year>\d{2}|\d{4})-(?<yday>\d{3})\b/],
      [/\d-\d{3}\b/, /\b-(?<yday>\d{3})\b/],
    ].freeze
    RUN = /(?<sign>[-+]?)(?<digits>(?<!\d)\d{2,14})(?:\s*t?\s*(?<time>\d{2,6})?(?:[,.](?<fraction>\d*))?)?
           (?:\s*(?<zone>z\b|[-+]\d{1,4}\b|\[[-+]?\d[^\]]*\]))?/ix
    BEFORE_CHRIST = /\b(bc\b|bce\b|b\.c\.|b\.c\.e\.)/i

    ISO_ZONE = '(?<zone>z|[-+]\d{2}(?::?\d{2})?)'
    ISO_DATE_TIME = /\A\s*(?:(?<y>[-+]?\d{2,}|-)-(?<m>\d{2})?(?:-(?<mday>\d{2}))?|(?<y2>[-+]?\d{2,})?-(?<yday>\d{3})|
      (?<cy>\d{4}|\d{2})?-w(?<cweek>\d{2})-(?<cwday>\d)|-w-(?<cwday2>\d))(?:t#{CLOCK}#{ISO_ZONE}?)?\s*\z/ix
    ISO_BASIC = /\A\s*
      (?:(?<y>[-+]?(?:\d{4}|\d{2})|--)(?<m>\d{2}|-)(?<mday>\d{2})|
      (?<y2>[-+]?(?:\d{4}|\d{2}))(?<yday>\d{3})|-(?<yday2>\d{3})|
      (?<cy>\d{4}|\d{2})w(?<cweek>\d{2})(?<cwday>\d)|-w(?<cweek2>\d{2})(?<cwday2>\d)|-w-(?<cwday3>\d))
      (?:t?(?<hour>\d{2})(?<min>\d{2})(?:(?<sec>\d{2})(?:[,.](?<fraction>\d+))?)?
      (?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/ix
    ISO_TIMES = [
      /\A\s*(?<hour>\d{2}):(?<min>\d{2})
       (?::(?<sec>\d{2})(?:[,.](?<fraction>\d+))?(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?\s*\z/ix,
      /\A\s*(?<hour>\d{2})(?<min>\d{2})
       (?:(?<sec>\d{2})(?:[,.](?<fraction>\d+))?(?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/ix,
    ].freeze
    RFC3339 = /\A\s*(?<year>-?\d{4})-(?<mon>\d{2})-(?<mday>\d{2})(?:t|\s)
               (?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})(?<dot>\.\d+)?(?<zone>z|[-+]\d{2}:\d{2})\s*\z/ix
    XML = [
      /\A\s*(?<year>-?\d{4,})(?:-(?<mon>\d{2})(?:-(?<mday>\d{2}))?)?
       (?:t(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})(?:\.(?<fraction>\d+))?)?(?<zone>z|[-+]\d{2}:\d{2})?\s*\z/ix,
      /\A\s*(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})(?:\.(?<fraction>\d+))?(?<zone>z|[-+]\d{2}:\d{2})?\s*\z/i,
      /\A\s*(?:--(?<mon>\d{2})(?:-(?<mday>\d{2}))?)(?<zone>z|[-+]\d{2}:\d{2})?\s*\z/i,
      /\A\s*---(?<mday>\d{2})(?<zone>z|[-+]\d{2}:\d{2})?\s*\z/i,
    ].freeze
    RFC2822 = /\A\s*(?:(?<wday>#{DAY})\s*,\s+)?(?<mday>\d{1,2})\s+(?<mon>#{MONTH})\s+(?<year>-?\d{2,})\s+
      (?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2}))?\s*
      (?<zone>[-+]\d{4}|ut|gmt|e[sd]t|c[sd]t|m[sd]t|p[sd]t|[a-ik-z])\s*\z/ix
    HTTP = [
      /\A\s*(?<wday>#{DAY})\s*,\s+(?<mday>\d{2})\s+(?<mon>#{MONTH})\s+(?<year>-?\d{4})\s+
       (?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})\s+(?<zone>gmt)\s*\z/ix,
      /\A\s*(?<wday>#{LONG_DAY})\s*,\s+(?<mday>\d{2})\s*-\s*(?<mon>#{MONTH})\s*-\s*(?<year>\d{2})\s+
       (?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})\s+(?<zone>gmt)\s*\z/ix,
      /\A\s*(?<wday>#{DAY})\s+(?<mon>#{MONTH})\s+(?<mday>\d{1,2})\s+
       (?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})\s+(?<year>\d{4})\s*\z/ix,
    ].freeze
    JIS = /\A\s*(?<letter>[mtshr])?(?<y>\d{2})\.(?<mon>\d{2})\.(?<mday>\d{2})
           (?:t(?:#{CLOCK}(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?)?\s*\z/ix
    ERA_ZERO = { "m" => 1867, "t" => 1911, "s" => 1925, "h" => 1988, "r" => 2018 }.freeze

    module_function

    # The text as a String, or nil; longer ones than the limit are refused.
    def text(string, limit)
      return if string.nil?
      string = string.is_a?(String) ? string : __convert(string)
      unless string.encoding.ascii_compatible?
        raise ArgumentError, "string should have ASCII compatible encoding"
      end
      if limit && string.length > limit
        raise ArgumentError, "string length (#{string.length}) exceeds the limit #{limit}"
      end
      string
    end

    def __convert(object)
      String.new << object.to_str rescue raise(TypeError, "no implicit conversion of #{__kind(object)} into String")
    end

    def __kind(object)
      case object
      when nil then "nil"
      when true then "true"
      when false then "false"
      else object.class.to_s
      end
    end

    # The named groups of a match as parts.
    def fill(match, hash = {})
      match.names.each do |name|
        value = match[name] or next
        case name
        when "wday" then hash[:wday] = DAYS[value[0, 3].downcase]
        when "dot" then next
        when "fraction" then hash[:sec_fraction] = Rational(value.to_i, 10**value.length)
        when "zone"
          hash[:zone] = value
          hash[:offset] = Primitive.date_zone_to_diff(Date, value)
        when "mon" then hash[:mon] = MONTHS[value.downcase] || value.to_i
        else hash[name.to_sym] = value.to_i
        end
      end
      hash
    end

    def century(text, pivot = 69)
      year = text.to_i
      return year if text.length >= 4
      year >= pivot ? year + 1900 : year + 2000
    end

    # -- free text --

    def free(string, comp)
      string = string.gsub(%r{[^-+',./:@[:alnum:]\[\]]+}, " ")
      hash = { _comp: comp }
      take(string, WEEKDAY) { |m| hash[:wday] = DAYS[m[:wday].downcase] } if string.match?(/[A-Za-z]/)
      # A time has a colon, an "h" or "am" and "pm" behind a digit.
      take(string, TIME) { |m| time(m, hash) } if string.match?(/[:HhAaPp]/) && string.match?(/\d/)
      date(string, hash)
      take(string, BEFORE_CHRIST) { hash[:_bc] = true } if string.match?(/[A-Za-z]/)
      take(string, /\A\s*(\d{1,2})\s*\z/) { |m| fragment(m[1].to_i, hash) } if string.match?(/\d/)
      finish(hash)
    end

    # Replaces the first match by a blank and hands it on; whether there was one.
    def take(string, pattern)
      match = pattern.match(string) or return false
      string[match.begin(0)...match.end(0)] = " "
      yield match
      true
    end

    def time(match, hash)
      hash[:zone] = match[:zone] if match[:zone]
      parts = CLOCK_PARTS.match(match[:clock]) or return
      hour = parts[:hour].to_i
      hour = hour % 12 + (parts[:half].downcase == "p" ? 12 : 0) if parts[:half]
      hash[:hour] = hour
      hash[:min] = parts[:min].to_i if parts[:min]
      hash[:sec] = parts[:sec].to_i if parts[:sec]
      hash[:sec_fraction] = Rational(parts[:fraction].to_i, 10**parts[:fraction].length) if parts[:fraction]
    end

    # The first form that fits gives the date.
    def date(string, hash)
      alpha, digit = string.match?(/[A-Za-z]/), string.match?(/\d/)
      if alpha && digit
        named = ->(m) { civil(hash, m[:year], MONTHS[m[:month].downcase].to_s, m[:day], m[:era]) }
        return if take(string, EUROPEAN, &named) || take(string, AMERICAN, &named)
      end
      return if digit && string.include?("-") && take(string, DASHES) { |m| civil(hash, m[:year], m[:month], m[:day]) }
      return if digit && string.include?(".") && take(string, JAPANESE) { |m| japanese(m, hash) }
      if alpha && digit && string.include?("-")
        vms = ->(m) { civil(hash, m[:year], MONTHS[m[:month].downcase].to_s, m[:day]) }
        return if take(string, VMS, &vms) || take(string, VMS_MONTH, &vms)
      end
      return if digit && string.include?("/") && take(string, SLASHES) { |m| civil(hash, m[:year], m[:month], m[:day]) }
      return if digit && string.include?(".") && take(string, DOTS) { |m| civil(hash, m[:year], m[:month], m[:day]) }
      lone(string, hash, alpha, digit)
    end

    def lone(string, hash, alpha, digit)
      if digit
        if SHORT.any? { |unless_, pattern| !unless_&.match?(string) && take(string, pattern) { |m| fill(m, hash) } }
          return
        end
        return if take(string, /'(\d+)\b/) { |m| hash[:year] = m[1].to_i }
      end
      return if alpha && take(string, /\b(#{MONTH})\S*/i) { |m| hash[:mon] = MONTHS[m[1].downcase] }
      return unless digit
      take(string, /(#{DIGITS})(st|nd|rd|th)\b/i) { |m| hash[:mday] = m[1].to_i } ||
        take(string, RUN) { |m| run(m, hash) }
    end

    def japanese(match, hash)
      hash[:year] = match[:y].to_i + ERA_ZERO[match[:letter].downcase]
      hash[:mon] = match[:mon].to_i
      hash[:mday] = match[:mday].to_i
    end

    # Year, month and day in the order in which they were written; which is which is guessed: an apostrophe or more than
    # two digits mean a year.
    def civil(hash, year, month, day, era = nil)
      year, month, day = day, year, month if year && month && !day
      if !year && day && (day.length > 2 || day.start_with?("'"))
        year, day = day, nil
      end
      if year&.match?(/\D/) && (head = year[/[-+]?\d+/]) && !year.end_with?(head)
        year, day = day, head
      end
      year, month, day = month, day, year if month && (month.start_with?("'") || month.length > 2)
      year, day = day, year if day && (day.start_with?("'") || day.length > 2)
      if year && (number = year.match?(/\D/) ? year[/[-+]?\d+/] : year)
        hash[:_comp] = false if number.length > 2 || number.start_with?("-", "+")
        hash[:year] = number.to_i
      end
      hash[:_bc] = true if era&.match?(/\Ab/i)
      hash[:mon] = month.match?(/\D/) ? month[/\d+/].to_i : month.to_i if month&.match?(/\d/)
      hash[:mday] = day.match?(/\D/) ? day[/\d+/].to_i : day.to_i if day&.match?(/\d/)
    end

    # Digits without separators, by their number: from the front a date, or from the end a time when a fraction follows.
    DATE_RUN = { 2 => [[:mday, 2]], 3 => [[:yday, 3]], 4 => [[:mon, 2], [:mday, 2]], 5 => [[:year, 2], [:yday, 3]],
                 6 => [[:year, 2], [:mon, 2], [:mday, 2]], 7 => [[:year, 4], [:yday, 3]] }.freeze
    LONG_RUN = [[:year, 4], [:mon, 2], [:mday, 2], [:hour, 2], [:min, 2], [:sec, 2]].freeze
    TIME_RUN = [[:sec, 2], [:min, 2], [:hour, 2], [:mday, 2], [:mon, 2], [:year, 4]].freeze

    def run(match, hash)
      digits, time, fraction, zone = match[:digits], match[:time], match[:fraction], match[:zone]
      if time.nil? && fraction
        from_end(digits, hash)
        hash[:_comp] = false if digits.length == 14
      elsif (parts = DATE_RUN[digits.length] || (LONG_RUN if digits.length.even?))
        at = 0
        parts.each do |name, width|
          break if at >= digits.length
          hash[name] = digits[at, width].to_i
          at += width
        end
        hash[:_comp] = false if digits.length >= 8
      end
      hash[:year] = -hash[:year] if match[:sign] == "-" && hash[:year]
      time_run(time, fraction, hash) if time
      hash[:sec_fraction] = Rational(fraction.to_i, 10**fraction.length) if fraction
      run_zone(zone, hash) if zone
    end

    def from_end(digits, hash)
      return if digits.length.odd? && digits.length > 7
      last = digits.length
      TIME_RUN.each do |name, width|
        break if last <= 0
        first = [last - width, 0].max
        hash[name] = digits[first...last].to_i
        last = first
      end
    end

    def time_run(time, fraction, hash)
      return if time.length.odd?
      parts = time.scan(/../).map(&:to_i)
      parts.reverse! if fraction
      (fraction ? %i[sec min hour] : %i[hour min sec]).zip(parts) { |name, value| hash[name] = value if value }
    end

    # "+09", "[+9:name]" or "[9]".
    def run_zone(zone, hash)
      hash[:zone] = zone
      return unless zone.start_with?("[")
      inner = zone[1..-2]
      offset, name = inner.split(":", 2)
      if name
        hash[:zone] = name
      else
        hash[:zone] = inner
        offset = "+#{inner}" if inner.match?(/\A\d/)
      end
      hash[:offset] = Primitive.date_zone_to_diff(Date, offset)
    end

    # A number that stands alone is the day when there is a time, or the hour when there is a day.
    def fragment(number, hash)
      if hash[:hour] && !hash[:mday]
        hash[:mday] = number if number.between?(1, 31)
      end
      if hash[:mday] && !hash[:hour]
        hash[:hour] = number if number.between?(0, 24)
      end
    end

    def finish(hash)
      before = hash.delete(:_bc)
      short = hash.delete(:_comp)
      %i[cwyear year].each do |name|
        year = hash[name] or next
        year = 1 - year if before
        year += year >= 69 ? 1900 : 2000 if short && year.between?(0, 99)
        hash[name] = year
      end
      hash[:offset] = Primitive.date_zone_to_diff(Date, hash[:zone]) if hash[:zone] && !hash[:offset]
      hash
    end

    # -- fixed formats --

    # Years of two digits and groups that stand for others in the forms of ISO 8601.
    def iso(match)
      groups = match.named_captures
      hash = {}
      { mday: %w[mday], yday: %w[yday yday2], cweek: %w[cweek cweek2],
        cwday: %w[cwday cwday2 cwday3] }.each do |name, keys|
        keys.each { |key| hash[name] = groups[key].to_i if groups[key] }
      end
      named = groups["y"] if groups["y"] && !groups["y"].match?(/\A-+\z/)
      return hash if groups["m"] == "-" && named
      year = named || groups["y2"]
      hash[:year] = century(year) if year
      return hash if groups["y"] && groups["m"].nil? && named.nil? == false
      hash[:mon] = groups["m"].to_i if groups["m"] && groups["m"] != "-"
      hash[:cwyear] = century(groups["cy"]) if groups["cy"]
      %i[hour min sec].each { |name| hash[name] = groups[name.to_s].to_i if groups[name.to_s] }
      if groups["fraction"]
        hash[:sec_fraction] = Rational(groups["fraction"].to_i, 10**groups["fraction"].length)
      end
      if groups["zone"]
        hash[:zone] = groups["zone"]
        hash[:offset] = Primitive.date_zone_to_diff(Date, groups["zone"])
      end
      hash
    end

    def iso8601(string)
      match = ISO_DATE_TIME.match(string) || ISO_BASIC.match(string)
      return iso(match) if match
      match = ISO_TIMES[0].match(string) || ISO_TIMES[1].match(string)
      match ? fill(match) : {}
    end

    def first_of(patterns, string)
      patterns.each do |pattern|
        match = pattern.match(string)
        return fill(match) if match
      end
      {}
    end

    def rfc3339(string)
      match = RFC3339.match(string) or return {}
      hash = fill(match)
      hash[:sec_fraction] = Rational(match[:dot][1..].to_i, 10**(match[:dot].length - 1)) if match[:dot]
      hash
    end

    def rfc2822(string)
      match = RFC2822.match(string) or return {}
      hash = fill(match)
      year = match[:year]
      hash[:year] = century(year, 50) if year.length < 4
      hash
    end

    def httpdate(string)
      HTTP.each_with_index do |pattern, i|
        match = pattern.match(string) or next
        hash = fill(match)
        hash[:year] = century(match[:year]) if i == 1
        return hash
      end
      {}
    end

    def jisx0301(string)
      match = JIS.match(string) or return iso8601(string)
      hash = { year: match[:y].to_i + ERA_ZERO[(match[:letter] || "h").downcase] }
      hash.merge(fill(match).except(:letter, :y))
    end
  end
  private_constant :Reading

  class << self
    def _parse(string, comp = true, limit: 128)
      string = Reading.text(string, limit)
      raise TypeError, "no implicit conversion of nil into String" unless string
      Reading.free(string, comp)
    end

    def _iso8601(string, limit: 128) = (text = Reading.text(string, limit)) ? Reading.iso8601(text) : {}
    def _rfc3339(string, limit: 128) = (text = Reading.text(string, limit)) ? Reading.rfc3339(text) : {}
    def _xmlschema(string, limit: 128)
      (text = Reading.text(string, limit)) ? Reading.first_of(Reading::XML, text) : {}
    end
    def _rfc2822(string, limit: 128) = (text = Reading.text(string, limit)) ? Reading.rfc2822(text) : {}
    alias _rfc822 _rfc2822
    def _httpdate(string, limit: 128) = (text = Reading.text(string, limit)) ? Reading.httpdate(text) : {}
    def _jisx0301(string, limit: 128) = (text = Reading.text(string, limit)) ? Reading.jisx0301(text) : {}
  end
end
