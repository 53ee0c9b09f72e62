apps_require "plist", "xmlsimple", "iniparse", "parseconfig"

require "stringio"
puts({ a: [1, 2.5, true, "x", Time.utc(2024)], b: StringIO.new("data") }.to_plist)
p Plist.parse_xml({ "a" => [1, { "b" => false }] }.to_plist)
p XmlSimple.xml_in("<a x='1'><b>t</b><b y='2'>u</b><c/></a>"),
  XmlSimple.xml_out({ "a" => [{ "b" => ["x", "y"], "n" => "1" }] }, "RootName" => "r")
d = IniParse.parse("; c\n[s]\na = 1\nb = x y ; z\nb = 2\n[t]\nq=true\n")
p d["s"]["a"], d["s"]["b"], d["t"]["q"]
d["s"]["n"] = 3
puts d.to_ini
told { IniParse.parse("[s\na") }
File.write("c.conf", "a = 1\n[g]\nb = \"x y\"\n# c\n"); c = ParseConfig.new("c.conf"); p c["a"], c["g"]
