class OrderChannel < ActionCable::Channel::Base
  def subscribed = stream_from("order_#{params[:id]}")
end
