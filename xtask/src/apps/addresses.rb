apps_require "addressable/template", "domain_name", "http/cookie", "multi_json", "multi_xml", "crack/xml"

uri = Addressable::URI.parse("HTTP://User@EXAMPLE.com:80/a/./b/../c%7e?q=1&r=a b#f")
p uri.normalize.to_s, uri.query_values, uri.join("../d").to_s,
  Addressable::URI.parse("http://\u00fc.de/").normalize.to_s
template = Addressable::Template.new("http://x/{seg*}/{?q,r*}")
p template.expand("seg" => %w[a b], "q" => "1 2", "r" => { "k" => "v" }).to_s, template.extract("http://x/a,b/?q=3")
p DomainName("a.b.co.jp").domain
jar = HTTP::CookieJar.new
jar.parse("a=b; Path=/; Domain=example.com; Secure, c=d; Max-Age=0", "https://www.example.com/")
p jar.cookies("https://example.com/x").map(&:cookie_value)
p MultiJson.load(MultiJson.dump({ "a" => [1, nil, 2.5] })), MultiXml.parse("<a><b c='d'>e</b><b/></a>"),
  Crack::XML.parse("<a><b>1</b><b>2</b></a>")
