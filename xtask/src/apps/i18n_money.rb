apps_require "i18n", "money", "tzinfo", "gettext", "fast_gettext", "countries"

I18n.backend.store_translations(:en, hello: "Hello %{name}", inbox: { one: "one", other: "%{count} msgs" },
                                date: { formats: { default: "%Y-%m-%d" },
                                        abbr_month_names: [nil, *%w[Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec]] })
I18n.available_locales = [:en, :de]
p I18n.t(:hello, name: "x"), I18n.t(:inbox, count: 1), I18n.t(:inbox, count: 5), I18n.t(:nope),
  I18n.t(:nope, default: "d")
begin; I18n.t(:hello!, raise: true); rescue => e; p e.class, e.message; end
begin; I18n.t(:hello); rescue => e; p e.class, e.message; end
begin; I18n.locale = :xx; rescue => e; p e.class, e.message; end
p I18n.transliterate("Ærøskøbing ü")
Money.rounding_mode = BigDecimal::ROUND_HALF_UP
Money.locale_backend = nil
m = Money.new(123456, "USD")
p m.format, m.to_s, (m * 3).format, m.split(7).map(&:cents), m.allocate([1, 2, 3]).map(&:to_s),
  m <=> Money.new(1, "USD"), Money.new(100, "JPY").format
begin; m + Money.new(1, "EUR"); rescue => e; p e.class, e.message; end
bank = Money::Bank::VariableExchange.new(Money::RatesStore::Memory.new)
bank.add_rate("USD", "EUR", 0.9)
p bank.exchange_with(m, "EUR").format
tz = TZInfo::Timezone.get("Europe/Berlin")
p tz.utc_to_local(Time.utc(2024, 7, 1, 12)), tz.period_for_utc(Time.utc(2024, 1, 1)).abbreviation,
  tz.local_to_utc(Time.utc(2024, 3, 31, 3)).to_s,
  tz.transitions_up_to(Time.utc(2024), Time.utc(2023)).map { |t| t.at.to_s }
begin; tz.local_to_utc(Time.utc(2024, 10, 27, 2, 30)); rescue => e; p e.class, e.message; end
p TZInfo::Timezone.all_identifiers.size > 300
c = ISO3166::Country["DE"]
p c.name, c.alpha3, c.currency_code, c.translations.size
