apps_require "factory_bot", "faker", "hashie", "state_machines", "parallel", "xmlrpc/server"

User = Struct.new(:name, :mail, :admin, keyword_init: true) { def save! = true }
FactoryBot.define do
  sequence(:mail) { |n| "u#{n}@example.com" }
  factory :user do
    name { "Ada" }
    mail
    trait(:admin) { admin { true } }
    factory(:boss, traits: [:admin]) { name { "Boss" } }
  end
end
p FactoryBot.build(:user).to_h.values, FactoryBot.create(:boss).to_h.values,
  FactoryBot.attributes_for(:user, :admin).keys
Faker::Config.random = Random.new(1)
p Faker::Name.name.class, Faker::Internet.email.include?("@"), Faker::Lorem.words(number: 3).size
p Parallel.map([1, 2, 3], in_threads: 2) { |x| x * 2 }, Parallel.map([1, 2, 3], in_processes: 2) { |x| x + 1 }
server = XMLRPC::BasicServer.new
server.add_handler("sum") { |a, b| a + b }
puts server.process(XMLRPC::Create.new.methodCall("sum", 1, 2))
