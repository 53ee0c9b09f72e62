# Looks at the page of `rubellite explore --html` in a browser: `ruby explore.rb CHROMIUM [DIRECTORY FOR SCREENSHOTS]`.
require "rbconfig"
require_relative "browser"

dir = Dir.mktmpdir("rubellite-pages")
page = File.join(dir, "explore.html")
system(RbConfig.ruby, "explore", "--seeds=60", "--html=#{page}", "examples/find_a_race.rb", chdir: File.expand_path("../..", __dir__), out: File::NULL)
abort "explore has written no page" unless File.size?(page)

$failed = 0
def check(what, found)
  return if found
  $failed += 1
  puts "explore: #{what}"
end

browser = Browser.new(ARGV.fetch(0))
begin
  browser.size(1200, 900)
  browser.open("file://#{page}")
  check("nothing is fetched", browser.requests.all? { |url| url.start_with?("file:", "data:") })
  check("the sentence names the variable", browser.evaluate("document.getElementById('advice').textContent").include?("@balance of Account"))
  check("a column for each thread", browser.evaluate("document.querySelectorAll('#steps thead th').length") >= 4)
  check("the forced switch is marked", browser.evaluate("document.querySelectorAll('#steps tr.forced').length") == 1)
  check("the lines are there", browser.evaluate("document.getElementById('steps').textContent").include?("def covers?(amount) = @balance >= amount"))

  # A variable is chosen by the keyboard.
  8.times { browser.press("Tab") unless browser.evaluate("document.activeElement.id") == "variable" }
  check("Tab reaches the choice of variables", browser.evaluate("document.activeElement.id") == "variable")
  count = browser.evaluate("document.getElementById('variable').options.length")
  browser.press("ArrowDown")
  browser.evaluate("document.getElementById('variable').dispatchEvent(new Event('change'))")
  others = browser.evaluate("document.querySelectorAll('#steps tr.dim').length")
  check("a chosen variable dims the others", count == 2 || others.positive?)

  [[1200, 900, false], [1200, 900, true], [390, 800, false], [390, 800, true]].each do |width, height, dark|
    browser.size(width, height, dark:)
    name = "#{width < 600 ? "phone" : "desktop"}, #{dark ? "dark" : "light"}"
    check("#{name}: no wider than the window", browser.evaluate("document.documentElement.scrollWidth") <= width)
    background = browser.evaluate("getComputedStyle(document.body).backgroundColor").scan(/\d+/).first(3).sum(&:to_i)
    check("#{name}: the background", dark ? background < 200 : background > 600)
    browser.screenshot(File.join(ARGV[1], "explore-#{name.tr(", ", "-").squeeze("-")}.png")) if ARGV[1]
  end
  check("no error: #{browser.errors.first}", browser.errors.empty?)
ensure
  browser.close
  FileUtils.rm_rf(dir)
end
puts "explore: the page is as it should be" if $failed.zero?
exit $failed.zero?
