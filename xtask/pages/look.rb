# What is looked at in every page: what it fetches, its errors, all sizes and both colours. The command line names the
# browser, and a directory for screenshots if there are to be some.
require "rbconfig"
require_relative "browser"

SIZES = [[1200, 900, false], [1200, 900, true], [390, 800, false], [390, 800, true]].freeze

$failed = 0

def check(what, found)
  return if found
  $failed += 1
  puts "#{$name}: #{what}"
end

# Has `write` make a page of this name, and looks at it. `name` is what failures are told of; the program ends with it.
def look_at(name, file, write:)
  $name = name
  dir = Dir.mktmpdir("rubellite-pages")
  page = File.join(dir, file)
  write.call(page)
  browser = Browser.new(ARGV.fetch(0))
  begin
    browser.size(1200, 900)
    browser.open("file://#{page}")
    check("nothing is fetched", browser.requests.all? { |url| url.start_with?("file:", "data:") })
    yield browser
    check("no error: #{browser.errors.first}", browser.errors.empty?)
  ensure
    browser.close
    FileUtils.rm_rf(dir)
  end
  puts "#{name}: the page is as it should be" if $failed.zero?
  exit $failed.zero?
end

# The page fits windows of all sizes, in both colours. The block is given a name for each, and looks at more.
def in_all_sizes(browser)
  SIZES.each do |width, height, dark|
    browser.size(width, height, dark:)
    name = "#{width < 600 ? "phone" : "desktop"}, #{dark ? "dark" : "light"}"
    yield name
    check("#{name}: no wider than the window", browser.evaluate("document.documentElement.scrollWidth") <= width)
    background = browser.evaluate("getComputedStyle(document.body).backgroundColor").scan(/\d+/).first(3).sum(&:to_i)
    check("#{name}: the background", dark ? background < 200 : background > 600)
    browser.screenshot(File.join(ARGV[1], "#{$name}-#{name}".gsub(/[ ,]+/, "-") << ".png")) if ARGV[1]
  end
end
