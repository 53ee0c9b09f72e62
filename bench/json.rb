# A document of 10 MB, read and written.
require "json"

users = Array.new(30_000) do |i|
  {
    "id" => i, "name" => "User number #{i}", "email" => "user#{i}@example.com", "active" => i.even?, "score" => i * 0.5,
    "tags" => %w[alpha beta],
    "address" => { "street" => "Main street #{i % 100}", "city" => "Zürich", "zip" => 8000 + i % 99 },
    "bio" => "Some \"quoted\" text\nwith lines and unicode ✓ #{i}" * 2, "nothing" => nil
  }
end
document = JSON.generate(users)
5.times { document = JSON.generate(JSON.parse(document)) }
p document.bytesize, JSON.parse(document) == users
