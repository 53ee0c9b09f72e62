apps_gems "railties", "activerecord", "actionpack", "sqlite3", alone: true

# The output of the command, without what differs from run to run.
def rails(*words, input: "")
  text = IO.popen([RbConfig.ruby, "-W0", *words, err: [:child, :out]], "r+") do |io|
    io.write(input)
    io.close_write
    io.read
  end
  text = text.gsub(/\e\[[\d;]*m/, "").gsub("#{Dir.pwd}/", "").gsub(/0x\h+/, "0xXX").gsub(/\d{14}/, "STAMP")
    .gsub(/\d+\.\d+(?: ?m?s\b)/, "TIME")
  text = text.gsub(/^\s+from .*\n|^.*\/gems\/.*\n|^(Ruby|RubyGems) version .*\n|^Finished in .*\n|in [`'][^']*'/, "")
  puts "$ rails #{words.drop(1).join(" ")}", text, $?.exitstatus
end

ENV["RUBYOPT"] = "-W0"
ENV["PATH"] = "#{RbConfig::CONFIG["bindir"]}:#{ENV["PATH"]}"
parts = %w[git bundle asset-pipeline javascript hotwire jbuilder bootsnap dev-gems brakeman rubocop bundler-audit ci
           docker kamal thruster solid]
parts += %w[action-mailer action-mailbox action-text active-storage action-cable active-job system-test]
command = Gem.bin_path("railties", "rails")
rails command, "--version"
rails command, "new", "shop", *parts.map { |part| "--skip-#{part}" }
Dir.chdir("shop")
File.write("Gemfile", %w[railties actionpack activerecord sqlite3 minitest].map { |name| "gem #{name.inspect}\n" }.join)
rails "bin/rails", "generate", "scaffold", "book", "title:string", "price:decimal"
rails "bin/rails", "db:migrate"
rails "bin/rails", "routes"
rails "bin/rails", "runner",
      "Book.create!(title: %q(Ruby), price: %q(12.5)); p Book.all.map { |book| [book.id, book.title, book.price.to_s] }"
rails "bin/rails", "runner", "puts Book.where(title: 1..).to_sql; Book.find(9)"
rails "bin/rails", "console",
      input: "Book.count\nBook.first.title.upcase\nx = 5\nx / 0\nhelper.number_to_currency(3)\nexit\n"
File.write("test/models/book_test.rb", <<~RUBY)
  require "test_helper"
  class BookTest < ActiveSupport::TestCase
    test("title") { assert_equal "MyString", books(:one).title }
    test("count") { assert_equal 1, Book.count }
  end
RUBY
rails "bin/rails", "test", "--seed=1"
rails "bin/rails", "nonsense"
