if ENV["REDIS_URL"]
  options = { url: ENV["REDIS_URL"] }
  Sidekiq.configure_server { |config| config.redis = options }
  Sidekiq.configure_client { |config| config.redis = options }
end
