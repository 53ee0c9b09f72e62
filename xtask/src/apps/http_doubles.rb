apps_require "webmock", "net/http", "octokit", "oauth2"

include WebMock::API
WebMock.enable!
stub_request(:get, "http://a.example/x").with(query: { "q" => "1" })
  .to_return(status: 201, body: "{\"a\": 1}", headers: { "Content-Type" => "application/json", "X" => "y" })
response = Net::HTTP.get_response(URI("http://a.example/x?q=1"))
p response.code, response.body, response["x"]
begin
  Net::HTTP.get(URI("http://a.example/other"))
rescue WebMock::NetConnectNotAllowedError => error
  puts error.message.lines.first
end
stub_request(:post, "http://a.example/form").to_return { |request| { body: request.body.upcase } }
p Net::HTTP.post_form(URI("http://a.example/form"), "k" => "v").body
stub_request(:get, "https://api.github.com/repos/a/b")
  .to_return(body: "{\"full_name\": \"a/b\", \"owner\": {\"login\": \"a\"}}",
             headers: { "Content-Type" => "application/json" })
repository = Octokit::Client.new.repository("a/b")
p repository.full_name, repository.owner.login
stub_request(:post, "https://auth.example/oauth/token")
  .to_return(body: "{\"access_token\": \"t\", \"expires_in\": 60, \"token_type\": \"bearer\"}",
             headers: { "Content-Type" => "application/json" })
client = OAuth2::Client.new("id", "secret", site: "https://auth.example")
p client.client_credentials.get_token.token, client.auth_code.authorize_url(redirect_uri: "http://back")
