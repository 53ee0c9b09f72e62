text = "## What it is\n\n" +
  "A product with *some* properties, a [link](https://example.org) and a list:\n\n- one\n- two\n\n" * 4
200.times do |i|
  Product.find_or_create_by!(name: "Product #{i}") do |product|
    product.assign_attributes(price: i * 37 % 5_000, description: text)
  end
end
