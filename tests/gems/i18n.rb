# gems: i18n
require "date"
require "i18n"
I18n.enforce_available_locales = false
I18n.backend.store_translations(
  :en, hello: "Hello %{name}", items: { one: "%{count} item", other: "%{count} items", zero: "none" },
       date: { formats: { default: "%Y-%m-%d", long: "%A, %d %B %Y" },
               day_names: %w[Sunday Monday Tuesday Wednesday Thursday Friday Saturday],
               month_names: [nil] + %w[January February March April May June July August September October November
                                       December],
               abbr_day_names: %w[Sun Mon Tue Wed Thu Fri Sat],
               abbr_month_names: [nil] + %w[Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec] })
I18n.backend.store_translations(:de, hello: "Hallo %{name}", only: { deep: { key: "tief" } })
puts I18n.t(:hello, name: "x"), I18n.t(:hello, name: "y", locale: :de)
puts [0, 1, 5].map { |n| I18n.t(:items, count: n) }
puts I18n.t("only.deep.key", locale: :de), I18n.t(:nope), I18n.t(:nope, default: "d"),
     I18n.t(:nope, default: [:other, "last"])
puts I18n.l(Date.new(2024, 2, 29), format: :long), I18n.l(Date.new(2024, 2, 29))
I18n.with_locale(:de) { puts I18n.locale, I18n.t(:hello, name: "z") }
begin
  I18n.t!(:missing)
rescue I18n::MissingTranslationData => e
  puts e.message
end
begin
  I18n.t(:hello, other: 1)
rescue I18n::MissingInterpolationArgument => e
  puts e.message[/\A[^;(]+/]
end
puts I18n.transliterate("Ærøskøbing é ß"), I18n.exists?(:hello), I18n.available_locales.sort.inspect
require "i18n/backend/fallbacks"
I18n::Backend::Simple.include(I18n::Backend::Fallbacks)
I18n.fallbacks[:"de-AT"]
puts I18n.t(:hello, name: "f", locale: :"de-AT"), I18n.fallbacks[:"de-AT"].inspect
# prints: Hello x
# prints: Hallo y
# prints: none
# prints: 1 item
# prints: 5 items
# prints: tief
# prints: translation missing: en.nope
# prints: d
# prints: last
# prints: Thursday, 29 February 2024
# prints: 2024-02-29
# prints: de
# prints: Hallo z
# prints: translation missing: en.missing
# prints: missing interpolation argument :name in "Hello %{name}"
# prints: AEroskobing e ss
# prints: true
# prints: [:de, :en]
# prints: Hallo f
# prints: [:"de-AT", :de]
