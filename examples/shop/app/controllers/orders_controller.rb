class OrdersController < ApplicationController
  def create
    order = Order.new(params.expect(order: %i[product_id quantity]))
    return render json: { id: order.id, total: order.total, state: order.state }, status: :created if order.save
    render json: { errors: order.errors }, status: :unprocessable_content
  end

  def show
    order = Order.includes(:product).find(params[:id])
    render json: { id: order.id, product: order.product.name, total: order.total, state: order.state }
  end
end
