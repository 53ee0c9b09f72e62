# Waits as a call to another service does, then tells who looks at the order.
class PackOrderJob < ActiveJob::Base
  queue_as :default

  def perform(order)
    sleep 0.02
    order.packed!
    ActionCable.server.broadcast("order_#{order.id}", { state: order.state })
  end
end
