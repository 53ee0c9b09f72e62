apps_require "roda", "rack/mock"

class App < Roda
  plugin :json; plugin :all_verbs; plugin :halt; plugin :error_handler do |e| "err #{e.class} #{e.message}" end
  plugin :not_found do "nf" end
  plugin :render, engine: "erb" rescue nil
  route do |r|
    r.root { "root" }
    r.on "a", Integer do |i|
      r.is { r.get { { i: i } }; r.post { r.params.inspect } }
      r.get(String) { |s| "#{i}-#{s}" }
    end
    r.get("raise") { raise ArgumentError, "x" }
    r.get("halt") { r.halt(402, { "x" => "y" }, "body") }
  end
end
m = Rack::MockRequest.new(App.app)
%w[/ /a/3 /a/3/x /a/x /raise /halt /zz].each { |q| r = m.get(q); p [q, r.status, r.headers.to_h.sort, r.body] }
p m.post("/a/4", params: { "x" => ["1", { "y" => 2 }] }).body
