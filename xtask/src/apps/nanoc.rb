apps_require "nanoc"

require "fileutils"
require "nanoc/cli"
FileUtils.mkdir_p(%w[content/docs layouts lib])
File.write("nanoc.yaml", "base_url: http://h\ntext_extensions: [md, html, erb]\n")
File.write("content/index.md",
           "---\ntitle: Home\n---\n# Hi\n\n<% @items.find_all('/docs/*').sort_by(&:identifier).each do |i| %>\n" \
           "* <%= i[:title] %> <%= i.path %>\n<% end %>\n")
3.times { |n| File.write("content/docs/p#{n}.md", "---\ntitle: P#{n}\n---\nText *#{n}*\n") }
File.write("layouts/default.html.erb", "<title><%= @item[:title] %></title>\n<%= yield %>\n")
File.write("lib/default.rb", "use_helper Nanoc::Helpers::Rendering\n")
File.write("Rules",
           "compile '/**/*.md' do\n  filter :erb\n  filter :kramdown\n  layout '/default.*'\n" \
           "  write item.identifier.without_ext + '.html'\nend\nlayout '/**/*', :erb\n")
require "stringio"
$stdout = shown = StringIO.new
begin
  Nanoc::CLI.run(%w[compile])
rescue SystemExit => error
  STDOUT.puts error.status
end
$stdout = STDOUT
puts shown.string.gsub(/[\d.]+s\b/, "T").lines.sort
Dir["output/**/*"].sort.each { |path| puts "== #{path}", File.read(path) if File.file?(path) }
