# The processor time of the shop's pages without servers: the application is asked in this process, as often as
# PAGES_ASKED says (300), in ROUNDS rounds (6). Each round prints milliseconds a request, page by page, and their sum.
#
#   ruby examples/shop/measure/pages.rb
#
# Needs the gems of the shop's Gemfile (BUNDLE_GEMFILE, GEM_PATH), and SQLite. What it writes lies in SHOP_DIR,
# a new directory.
require "fileutils"
require "tmpdir"

dir = ENV["SHOP_DIR"]
unless dir
  dir = ENV["SHOP_DIR"] = Dir.mktmpdir("shop")
  at_exit { FileUtils.rm_rf(dir) }
end
ENV["RAILS_ENV"] = "production"
Dir.chdir(File.expand_path("..", __dir__))
require "./config/environment"
require "rack/mock"

ActiveRecord::Migration.verbose = false
ActiveRecord::MigrationContext.new("db/migrate").migrate
load "db/seeds.rb"

def processor_time = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

def ask(path)
  status, _headers, body = Rails.application.call(Rack::MockRequest.env_for("http://localhost#{path}"))
  body.each { }
  body.close if body.respond_to?(:close)
  raise "#{path}: #{status}" unless status == 200
end

pages = %w[/products/1.json /products /products/1 /session /about]
asked = Integer(ENV.fetch("PAGES_ASKED", 300))
Integer(ENV.fetch("ROUNDS", 6)).times do
  times = pages.map do |path|
    began = processor_time
    asked.times { ask(path) }
    (processor_time - began) * 1000 / asked
  end
  puts [*times, times.sum].map { |time| format("%7.3f", time) }.join(" ")
end
