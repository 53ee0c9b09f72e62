apps_require "rake"

include Rake::DSL
Rake.application.init("rake", ["--quiet"])
namespace :site do
  desc "Makes it"
  task :make, [:where, :how] => %w[out/a.txt out/b.txt] do |t, args|
    args.with_defaults(how: "fast")
    puts "#{t.name} #{args.to_h} #{t.sources}"
  end
end
directory "out"
rule(/\Aout\/.*\.txt\z/ => [->(name) { name.sub("out/", "in/").ext("src") }, "out"]) do |t|
  File.write(t.name, File.read(t.source).upcase)
  puts "#{t.source} -> #{t.name}"
end
mkdir_p "in", verbose: false
%w[a b].each { |n| File.write("in/#{n}.src", n) }
Rake::Task["site:make"].invoke("here")
Rake::Task["site:make"].reenable
Rake::Task["site:make"].invoke("there", "slow")
p FileList["in/*.src"].ext("o").pathmap("%n%x:%d"), "a/b/c.rb".pathmap("%{a,z}d/%n"), Rake::Task.tasks.map(&:name).sort
multitask(together: %i[one two]) { puts "both" }
%i[one two].each { |name| task(name) { sleep 0.01 } }
Rake::Task[:together].invoke
begin
  task(a: :b)
  task(b: :a)
  Rake::Task[:a].invoke
rescue RuntimeError => error
  puts error.message
end
sh("false", verbose: false) { |ok, status| p ok, status.exitstatus }
