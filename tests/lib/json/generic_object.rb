require "json"
GO = JSON::GenericObject
object = GO[a: 1, b: 2]
[object.a, object[:b], object.c] # => [1, 2, nil]
JSON.generate(object) # => "{\"json_class\":\"JSON::GenericObject\",\"a\":1,\"b\":2}"
(object | { b: 3, c: 4 }).to_hash # => {b: 2, c: 4, a: 1}
GO.from_hash([{ x: { y: [1] } }]).first.x.y # => [1]
GO.load('{"k": {"l": 5}}').k.l # => 5
GO.load("null").to_hash # => {}
GO.json_creatable? # => false
GO.json_creatable = true
JSON.parse(JSON.generate(object), create_additions: true) == object # => true
GO.json_creatable = false
JSON.parse('{"foo": {}}', object_class: GO).foo.class # => JSON::GenericObject
