threads_count = Integer(ENV.fetch("SHOP_THREADS", 16))
threads threads_count, threads_count
environment ENV.fetch("RAILS_ENV", "production")
bind ENV.fetch("SHOP_BIND", "tcp://127.0.0.1:3000")
