# The converter of Sass and the watcher need parts in C.
%w[jekyll-sass-converter jekyll-watch].each { |name| $LOADED_FEATURES << "#{name}.rb" }
$LOAD_PATH.each do |directory|
  %w[jekyll-sass-converter jekyll-watch].each do |name|
    $LOADED_FEATURES << "#{directory}/#{name}.rb" if File.exist?("#{directory}/#{name}.rb")
  end
end
apps_require "jekyll"

require "fileutils"
FileUtils.mkdir_p(%w[_posts _layouts _includes _data].map { |name| "site/#{name}" })
File.write("site/_config.yml", "title: Mine\nmarkdown: kramdown\nhighlighter: rouge\ntimezone: UTC\nplugins: []\n")
File.write("site/_layouts/default.html",
           "<html><title>{{ site.title }}: {{ page.title }}</title>{% include nav.html %}{{ content }}</html>\n")
File.write("site/_includes/nav.html",
           "{% for p in site.posts %}<a href=\"{{ p.url }}\">{{ p.title | upcase }}</a> {{ p.date | date: '%-d %B " \
           "%Y' }}\n{% endfor %}")
File.write("site/_data/people.yml", "- name: Ada\n  born: 1815\n- name: Grace\n  born: 1906\n")
5.times do |n|
  head = "---\nlayout: default\ntitle: Post #{n}\ntags: [a, t#{n}]\ncategories: cat\n---\n"
  text =
    "# Head\n\nText *em* `code` {{ page.date | date_to_xmlschema }}\n\n{% highlight ruby %}\ndef a = 1 + #{n}\n" \
    "{% endhighlight %}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
  File.write("site/_posts/2024-01-0#{n + 1}-post-#{n}.md", head + text)
end
File.write("site/index.md",
           "---\nlayout: default\ntitle: Home\n---\n{% for p in site.data.people %}{{ p.name }} {{ p.born | plus: 1 " \
           "}}\n{% endfor %}\n{{ 'now it' | slugify }} {{ site.tags | size }} {{ site.posts | map: 'title' | join: " \
           "', ' }} {{ site.posts | group_by: 'categories' | size }}\n")
Jekyll.logger.log_level = :error
site = Jekyll::Site.new(Jekyll.configuration("source" => "site", "destination" => "out", "quiet" => true))
site.process
Dir["out/**/*"].sort.each { |path| puts "== #{path}", File.read(path) if File.file?(path) }
