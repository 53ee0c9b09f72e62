threads_count = Integer(ENV.fetch("SHOP_THREADS", 16))
threads threads_count, threads_count
environment ENV.fetch("RAILS_ENV", "production")
bind ENV.fetch("SHOP_BIND", "tcp://127.0.0.1:3000")
# Processes; 0: one, which answers by itself.
workers Integer(ENV.fetch("SHOP_WORKERS", 0))
# Each loads the application, so that a phased restart takes up new code.
preload_app! false
