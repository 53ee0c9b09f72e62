apps_require "grape", "rack/mock"

class Api < Grape::API
  format :json
  prefix :api
  version "v1", using: :path
  rescue_from(ArgumentError) { |error| error!({ error: error.message }, 422) }
  resource :items do
    params do
      requires :id, type: Integer, values: 1..9
      optional :tags, type: Array[String], default: []
    end
    get(":id") { { id: params[:id], tags: params[:tags] } }
    params { requires :name, type: String, regexp: /\A[a-z]+\z/ }
    post { { name: params[:name] } }
    get(:bad) { raise ArgumentError, "bad" }
  end
end
request = Rack::MockRequest.new(Api)
["/api/v1/items/3?tags[]=a", "/api/v1/items/30", "/api/v1/items/x", "/api/v1/nothing"].each do |path|
  response = request.get(path)
  p [path, response.status, response.body]
end
p request.post("/api/v1/items", params: { name: "abc" }).body
p request.post("/api/v1/items", params: { name: "A" }).body
200.times { request.get("/api/v1/items/3") }
