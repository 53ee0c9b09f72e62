# Looks at the page of `rubellite ccbench --html` in a browser: `ruby ccbench.rb CHROMIUM [DIRECTORY FOR SCREENSHOTS]`.
require_relative "look"

write = lambda do |page|
  words = %W[throughput latency reads --seconds=0.05 --runs=3 --threads=2 --work=pi,regexp --with=#{RbConfig.ruby}
             --html=#{page}]
  system(RbConfig.ruby, "ccbench", *words, out: File::NULL, err: File::NULL)
  abort "ccbench has written no page" unless File.size?(page)
end

look_at("ccbench", "ccbench.html", write:) do |browser|
  sentences =
    browser.evaluate("Array.from(document.querySelectorAll('#summary p')).map((p) => p.textContent).join('\\n')").lines
  check("a sentence for each chart", sentences.size == 8)
  check("the sentences name figures, ranges and both Rubies",
        sentences.all?(/ \(.* to .*\) on rubellite \S+ \(1\), .* on rubellite \S+ \(2\); /))
  check("two charts for each question",
        browser.evaluate("Array.from(document.querySelectorAll('section')).map((s) => " \
                         "s.querySelectorAll('svg').length).join()") == "2,2,2,2")
  check("a dot and a range for each figure",
        browser.evaluate("document.querySelectorAll('circle').length") == 2 * (2 * 2 + 3 * 2 * 3))
  check("ranges hold their dots", browser.evaluate(<<~JS))
    Array.from(document.querySelectorAll('svg g')).every((g) => {
      const line = g.querySelector('.range'), y = Number(g.querySelector('circle').getAttribute('cy'));
      return Number(line.getAttribute('y2')) <= y + 0.1 && y <= Number(line.getAttribute('y1')) + 0.1;
    })
  JS
  check("charts have words for those who do not see them",
        browser.evaluate("Array.from(document.querySelectorAll('svg')).every((svg) => " \
                         "svg.getAttribute('aria-label').includes('threads'))"))
  check("the noise of the machine is told",
        browser.evaluate("document.getElementById('noise').textContent").include?("An idle loop was kept from running"))

  # The figures open by the keyboard.
  browser.press("Tab")
  browser.press("Enter")
  check("Enter shows the first table",
        browser.evaluate("document.querySelectorAll('details[open] td').length") == 2 * 2 * 2)

  in_all_sizes(browser) {}
end
