# Deep nesting, long texts, interrupts, several threads.
# timeout: 60
require "rdiscount"
require "timeout"
RDiscount.new(">" * 100_000).to_html.size > 100_000 # => true
RDiscount.new("> " * 100_000 + "text").to_html.size > 100_000 # => true
RDiscount.new("[" * 100_000).to_html.size > 100_000 # => true
RDiscount.new("*a " * 50_000).to_html.size > 50_000 # => true
RDiscount.new("\0\xFE\x80".b * 50_000).to_html.size > 100_000 # => true
part = "# Heading\n\nSome *text* with a [link][ref].\n\n* a\n* b\n\n"
long = part * 200_000 + "\n[ref]: http://example.invalid/\n"
(Timeout.timeout(0.1) { RDiscount.new(long).to_html }) # raises Timeout::Error: execution expired
(Timeout.timeout(0.1) { RDiscount.new("word *em* " * 3_000_000).to_html }) # raises Timeout::Error: execution expired
shorter = part * 4000 + "\n[ref]: http://example.invalid/\n"
html = RDiscount.new(shorter).to_html
html.scan('<a href="http://example.invalid/">link</a>').size # => 4000
html.scan("<h1>").size # => 4000
4.times.map { Thread.new { RDiscount.new(shorter).to_html == html } }.map(&:value) # => [true, true, true, true]
