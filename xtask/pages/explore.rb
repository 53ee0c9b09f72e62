# Looks at the page of `rubellite explore --html` in a browser: `ruby explore.rb CHROMIUM [DIRECTORY FOR SCREENSHOTS]`.
require_relative "look"

write = lambda do |page|
  system(RbConfig.ruby, "explore", "--seeds=60", "--html=#{page}", "examples/find_a_race.rb",
         chdir: File.expand_path("../..", __dir__), out: File::NULL)
  abort "explore has written no page" unless File.size?(page)
end

look_at("explore", "explore.html", write:) do |browser|
  check("the sentence names the variable",
        browser.evaluate("document.getElementById('advice').textContent").include?("@balance of Account"))
  check("a column for each thread", browser.evaluate("document.querySelectorAll('#steps thead th').length") >= 4)
  check("the forced switch is marked", browser.evaluate("document.querySelectorAll('#steps tr.forced').length") == 1)
  check("the lines are there",
        browser.evaluate("document.getElementById('steps').textContent")
          .include?("def covers?(amount) = @balance >= amount"))

  # A variable is chosen by the keyboard.
  8.times { browser.press("Tab") unless browser.evaluate("document.activeElement.id") == "variable" }
  check("Tab reaches the choice of variables", browser.evaluate("document.activeElement.id") == "variable")
  count = browser.evaluate("document.getElementById('variable').options.length")
  browser.press("ArrowDown")
  browser.evaluate("document.getElementById('variable').dispatchEvent(new Event('change'))")
  others = browser.evaluate("document.querySelectorAll('#steps tr.dim').length")
  check("a chosen variable dims the others", count == 2 || others.positive?)

  in_all_sizes(browser) {}
end
