apps_gems "nokogiri"
apps_require "mechanize", "webrick"

PAGES = {
  "/" =>
    "<title>Start</title><a href='/form'>A form</a> <a href='/gone'>Gone</a> <a href='/moved'>Moved</a><img " \
    "src='/i.png'>",
  "/form" =>
    "<form action='/answer' method='post'><input name='who' value=''><select name='n'><option>1<option " \
    "selected>2</select><input type=checkbox name=c value=x><input type=submit name=go value=Go></form>",
}
server = WEBrick::HTTPServer.new(Port: 0, BindAddress: "127.0.0.1", Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
PAGES.each do |path, text|
  server.mount_proc(path) do |request, response|
    request.path == path ? (response["Content-Type"] = "text/html"; response.body = text) : response.status = 404
  end
end
server.mount_proc("/answer") do |request, response|
  response.cookies << WEBrick::Cookie.new("seen", request.query["who"])
  response["Content-Type"] = "text/html"
  response.body = "<h1>#{request.query.sort}</h1>"
end
server.mount_proc("/moved") { |_, response| response.set_redirect(WEBrick::HTTPStatus::Found, "/form") }
server.mount_proc("/latin") do |_, response|
  response["Content-Type"] = "text/html; charset=iso-8859-1"
  response.body = "<title>\xFCber</title>".b
end
server.mount_proc("/basic") do |request, response|
  WEBrick::HTTPAuth.basic_auth(request, response, "realm") { |user, pass| [user, pass] == %w[me secret] }
  response.body = "in"
end
thread = Thread.new { server.start }
agent = Mechanize.new { |settings| settings.user_agent_alias = "Linux Firefox" }
base = "http://127.0.0.1:#{server.config[:Port]}"
page = agent.get("#{base}/")
p page.title, page.links.map { |link| [link.text, link.href] }, page.image_urls.map(&:path)
form = page.link_with(text: "A form").click.forms.first
form.who = "me & you"
form.field_with(name: "n").value = "1"
form.checkbox_with(name: "c").check
p form.fields.map { |field| [field.name, field.value] }, form.request_data
page = agent.submit(form, form.buttons.first)
puts page.at("h1").text, agent.cookies.map(&:to_s), agent.history.map { |visited| visited.uri.path }.inspect
p agent.get("#{base}/moved").uri.path
begin
  agent.get("#{base}/gone")
rescue Mechanize::ResponseCodeError => error
  puts error.message.sub(base, ""), error.response_code
end
p agent.get("#{base}/latin").title
begin
  agent.get("#{base}/basic")
rescue Mechanize::UnauthorizedError => error
  puts error.message.sub(base, "")
end
agent.add_auth(base, "me", "secret")
puts agent.get("#{base}/basic").body
agent.back
p agent.page.uri.path, agent.get("#{base}/").search("a").map { |node| node["href"] }
server.shutdown
thread.join
