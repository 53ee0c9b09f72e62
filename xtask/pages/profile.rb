# Looks at the flame graph of `rubellite record` in a browser: `ruby profile.rb CHROMIUM [DIRECTORY FOR SCREENSHOTS]`.
require_relative "look"

write = lambda do |page|
  system(RbConfig.ruby, "record", "-o", page, "--", "planted.rb", chdir: __dir__) or abort "record has failed"
end

look_at("profile", "profile.html", write:) do |browser|
  check("the title names the program", browser.evaluate("document.title") == "Profile: planted.rb")
  said = -> { browser.evaluate("document.getElementById('said').textContent") }
  press = ->(*keys) { keys.each { |key| browser.press(key) } }
  focused = ->(expression) { browser.evaluate("(() => { const e = document.activeElement; return #{expression} })()") }

  # A frame, by the keyboard alone.
  presses = 0
  until focused["e.getAttribute('role')"] == "treeitem" || presses == 30
    press["Tab"]
    presses += 1
  end
  check("Tab reaches the flame graph", focused["e.getAttribute('role')"] == "treeitem")
  press["ArrowDown"]
  check("the arrow goes to what takes most",
        focused["e.getAttribute('aria-level')"] == "2" && focused["e.getAttribute('aria-label')"].include?(" ms, "))
  first = focused["e.getAttribute('aria-label')"]
  press["ArrowRight"]
  check("the next one is beside it",
        focused["e.getAttribute('aria-level')"] == "2" && focused["e.getAttribute('aria-label')"] != first)
  press["Enter"]
  check("Enter zooms", browser.evaluate("zoomed !== root && zoomed.element.style.width") == "100%")
  check("the zoomed frame has the focus and is told", said[].include?("of all") && focused["e === chosen.element"])
  press["Escape"]
  check("Escape shows all", browser.evaluate("zoomed === root"))

  # Each clock, and the line that was planted.
  browser.evaluate("document.querySelectorAll('#clocks button')[3].click()")
  check("others waited behind the line",
        browser.evaluate("document.querySelector('#lines td:last-child').textContent").match?(/planted\.rb:\d+/))
  check("who waited stands at the end of a stack",
        browser.evaluate("shown.some((at) => at.name.startsWith('behind it: worker'))"))
  titles =
    browser.evaluate("[...document.querySelectorAll('#clocks button')].map((b) => { b.click(); return root.value > 0 " \
                     "&& shown.length > 2 })")
  check("all clocks have stacks", titles == [true] * 4)

  # Search.
  browser.evaluate("document.querySelectorAll('#clocks button')[2].click()")
  browser.evaluate("document.activeElement.blur()")
  press["/"]
  check("/ goes to the search", focused["e.id"] == "search")
  browser.evaluate("document.getElementById('search').value = 'monthly'; " \
                   "document.getElementById('search').dispatchEvent(new Event('input'))")
  check("what is sought is marked",
        browser.evaluate("document.querySelectorAll('#flame .found').length") > 0 && said[].match?(/monthly.*%/))
  press["Escape"]
  check("Escape ends the search", browser.evaluate("document.querySelectorAll('#flame .found').length").zero?)

  # One thread.
  browser.evaluate("document.getElementById('thread').value = 1; document.getElementById('thread').dispatchEvent(new " \
                   "Event('change'))")
  check("one thread alone", browser.evaluate("root.sorted.every((at) => !at.name.startsWith('worker'))"))
  browser.evaluate("document.getElementById('thread').value = 0; document.getElementById('thread').dispatchEvent(new " \
                   "Event('change'))")

  # No wider than the window, and frames to be seen, in both schemes.
  seen =
    "shown.filter((at) => { const b = at.element.getBoundingClientRect(); return b.width > 20 && b.height > 10 && " \
    "at.element.textContent }).length"
  in_all_sizes(browser) do |name|
    check("#{name}: frames are seen", browser.evaluate(seen) > 5)
  end
end
