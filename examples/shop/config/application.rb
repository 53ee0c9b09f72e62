require "bundler/setup"
require "rails"
%w[active_record/railtie action_controller/railtie action_view/railtie active_job/railtie
   action_cable/engine].each do |file|
  require file
end
require "sidekiq"
require "redcarpet"

module Shop
  class Application < Rails::Application
    config.load_defaults 8.1
    config.root = File.expand_path("..", __dir__)
    config.eager_load = Rails.env.production?
    config.enable_reloading = Rails.env.development?
    config.consider_all_requests_local = !Rails.env.production?
    config.active_job.queue_adapter = ENV["REDIS_URL"] ? :sidekiq : :inline
    config.action_controller.perform_caching = true
    config.cache_store = :memory_store
    config.hosts.clear
    # The servers that `bin/shop` starts log to its scratch directory.
    config.logger = ActiveSupport::Logger.new(ENV.fetch("SHOP_LOG", File::NULL))
    config.log_level = :info
    config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 64 }
    config.paths["tmp"] = config.paths["log"] = ENV["SHOP_DIR"] if ENV["SHOP_DIR"]
  end
end
