apps_require "graphviz", "rqrcode", "chunky_png", "barby", "barby/barcode/code_128", "barby/outputter/ascii_outputter"

g = GraphViz.new(:G, type: :digraph)
a = g.add_nodes("a")
b = g.add_nodes("b", shape: "box")
g.add_edges(a, b, label: "x")
puts g.to_s
q = RQRCode::QRCode.new("http://x.y/z", level: :h)
puts q.to_s(dark: "#", light: "."), q.as_svg(module_size: 2)[0, 200], q.as_png(size: 60).pixels.sum
c = ChunkyPNG::Image.new(16, 16, ChunkyPNG::Color::TRANSPARENT)
c.line(0, 0, 15, 15, ChunkyPNG::Color("red @ 0.5"))
c.circle(8, 8, 5, 0xff0000ff, 0x00ff0080)
bl = c.to_blob
p ChunkyPNG::Image.from_blob(bl) == c, c.resample_bilinear(5, 5).pixels.sum
p Barby::Code128B.new("ABC").to_ascii
