# Texts come in the default internal encoding, as far as it has their characters.
require "yaml"
require "stringio"
verbose, $VERBOSE = $VERBOSE, nil
Encoding.default_internal = Encoding::EUC_JP
$VERBOSE = verbose
YAML.load("- \u3042\n- \u{1F600}\n").map { |text| [text.encoding, text.bytesize] } # => [[#<Encoding:EUC-JP>, 2], [#<Encoding:UTF-8>, 4]]

# Tag directives.
emitter = Psych::Emitter.new(StringIO.new)
emitter.start_stream(Psych::Nodes::Stream::UTF8)
emitter.start_document([1, 1], [[nil, "tag:a"]], false) # raises TypeError: no implicit conversion of nil into String
tags = []
name = Object.new
name.define_singleton_method(:to_str) { tags << ["!b!", "tag:b"]; "!a!" }
tags << [name, "tag:a"]
emitter.start_document([1, 1], tags, false).class # => Psych::Emitter
tags.size # => 2
