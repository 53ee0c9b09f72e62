%w[date date_time exception range regexp string struct symbol time].each { |name| require "json/add/#{name}" }
