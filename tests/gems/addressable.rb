# gems: addressable
require "addressable/uri"
require "addressable/template"
uri = Addressable::URI.parse("http://user:pw@example.com:8080/a/./b/../c%20d?x=1&y=%C3%A9#frag")
puts uri.scheme, uri.host, uri.port, uri.path, uri.query, uri.fragment, uri.userinfo, uri.authority, uri.site
puts uri.normalize, uri.query_values.to_a.inspect, uri.omit(:query, :fragment)
puts Addressable::URI.join("http://a/b/c/d;p?q", "../g"), Addressable::URI.parse("http://a/b").route_to("http://a/c")
puts Addressable::URI.encode_component("a b&ü/", Addressable::URI::CharacterClasses::UNRESERVED),
     Addressable::URI.unencode("%E2%82%AC")
puts Addressable::URI.heuristic_parse("example.com/path"), Addressable::URI.parse("http://例え.jp/").normalize
template = Addressable::Template.new("http://ex.com/{path}{/seg*}{?q,lang}{#f}")
puts template.expand("path" => "a b", "seg" => %w[x y], "q" => "ü", "lang" => "en", "f" => "z")
puts template.extract("http://ex.com/p/x/y?q=1&lang=de").inspect.gsub(" => ", "=>")
puts template.variables.inspect, Addressable::Template.new("/{a}/{b}").match("/1/2").captures.inspect
begin
  Addressable::URI.parse("http://exa mple:99999/").normalize
rescue Addressable::URI::InvalidURIError => e
  puts e.message
end
uri.query_values = { "a" => %w[1 2], "b" => nil }
puts uri, uri == Addressable::URI.parse(uri.to_s), uri.hash == uri.dup.hash,
     Addressable::URI.form_encode([["a", "b c"], ["d", "&"]])
# prints: http
# prints: example.com
# prints: 8080
# prints: /a/./b/../c%20d
# prints: x=1&y=%C3%A9
# prints: frag
# prints: user:pw
# prints: user:pw@example.com:8080
# prints: http://user:pw@example.com:8080
# prints: http://user:pw@example.com:8080/a/c%20d?x=1&y=%C3%A9#frag
# prints: [["x", "1"], ["y", "é"]]
# prints: http://user:pw@example.com:8080/a/./b/../c%20d
# prints: http://a/b/g
# prints: c
# prints: a%20b%26%C3%BC%2F
# prints: €
# prints: http://example.com/path
# prints: http://xn--r8jz45g.jp/
# prints: http://ex.com/a%20b/x/y?q=%C3%BC&lang=en#z
# prints: {"path"=>"p", "seg"=>["x", "y"], "q"=>"1", "lang"=>"de", "f"=>nil}
# prints: ["path", "seg", "q", "lang", "f"]
# prints: ["1", "2"]
# prints: Invalid character in host: 'exa mple'
# prints: http://user:pw@example.com:8080/a/./b/../c%20d?a=1&a=2&b#frag
# prints: true
# prints: true
# prints: a=b+c&d=%26
