# Looks at the page of the lock report in a browser: `ruby lock_report.rb CHROMIUM [DIRECTORY FOR SCREENSHOTS]`.
require_relative "look"

write = lambda do |page|
  # Where other programs take the processors away, that is what the report tells of, and rightly: then once more.
  3.times do
    system(RbConfig.ruby, "--lock-report=#{page}", "examples/three_mistakes.rb",
           chdir: File.expand_path("../..", __dir__), %i[out err] => File::NULL) or
      abort "the example has failed"
    break if File.read(page)[/"advice":"[^"]*/].to_s.include?("three_mistakes.rb:")
  end
end

look_at("lock report", "report.html", write:) do |browser|
  check("the advice names the line",
        browser.evaluate("document.getElementById('advice').textContent").include?("three_mistakes.rb:"))
  check("the advice shows the line as code",
        browser.evaluate("document.querySelector('#advice code').textContent").match?(/three_mistakes\.rb:\d+\z/))

  # The first wait, by the keyboard alone.
  focused = ->(expression) { browser.evaluate("(() => { const e = document.activeElement; return #{expression} })()") }
  presses = 0
  until focused["e.dataset.wait"] == "0" || presses == 30
    browser.press("Tab")
    presses += 1
  end
  check("Tab reaches the worst wait", focused["e.dataset.wait"] == "0")
  browser.press("Enter")
  check("Enter selects it",
        browser.evaluate("document.querySelector('[data-wait=\"0\"]').getAttribute('aria-pressed')") == "true")
  check("the time line has the focus", focused["e.id"] == "line")
  said = browser.evaluate("document.getElementById('said').textContent")
  check("it is told in words", said.match?(/\A[\d.,]+ ms from [\d.,]+ ms on: .+, behind .+/))
  span = -> { browser.evaluate("view.to - view.from") }
  inside = browser.evaluate("view.from <= data.waits[0].from && view.to >= data.waits[0].from + data.waits[0].long")
  check("the time line shows it", inside && span[].between?(1, 3.01 * browser.evaluate("data.waits[0].long") + 50))
  before = span[]
  browser.press("+")
  check("+ zooms in", span[] < before)
  browser.press("n")
  last = browser.evaluate("data.waits.every((wait) => wait.from <= data.waits[0].from)")
  check("n goes on", last || browser.evaluate("chosen") != 0)
  browser.press("0")
  check("0 shows all", (span[] - browser.evaluate("data.elapsed")).abs < 1)
  browser.press("p")
  browser.press("ArrowRight")
  browser.press("0")

  # Pointing at a wait explains it.
  x, y = browser.evaluate(<<~JS)
    (() => {
      canvas.scrollIntoView({ block: "center" });
      const wait = data.waits[0], box = canvas.getBoundingClientRect();
      return [box.left + x(wait.from + wait.long / 2), box.top + TOP + wait.thread * ROW + ROW / 2];
    })()
  JS
  browser.point(x, y)
  check("pointing explains", browser.evaluate("!$('tip').hidden && $('tip').textContent.includes('behind')"))
  browser.point(1, 1)

  # Painted, readable, and no wider than the window, in both schemes.
  painted = <<~JS
    (() => {
      const color = style("--waits"), probe = document.createElement("canvas").getContext("2d");
      probe.fillStyle = color;
      probe.fillRect(0, 0, 1, 1);
      const wanted = probe.getImageData(0, 0, 1, 1).data;
      const all = paint.getImageData(0, 0, canvas.width, canvas.height).data;
      let count = 0;
      for (let i = 0; i < all.length; i += 4) {
        if (all[i] === wanted[0] && all[i + 1] === wanted[1] && all[i + 2] === wanted[2]) count++;
      }
      return count;
    })()
  JS
  in_all_sizes(browser) do |name|
    browser.evaluate("document.querySelectorAll('[aria-pressed=true]').forEach((b) => b.setAttribute('aria-pressed', " \
                     "'false')); chosen = -1; " \
                     "$('said').textContent = ''; document.activeElement.blur(); scrollTo(0, 0); show(0, data.elapsed)")
    check("#{name}: waits are painted", browser.evaluate(painted) > 20)
  end
end
