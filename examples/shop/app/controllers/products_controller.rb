class ProductsController < ApplicationController
  def index
    @products = Product.cheap.limit(20)
    respond_to do |format|
      format.html
      format.json { render json: @products }
    end
  end

  def show
    @product = Product.find(params[:id])
    respond_to do |format|
      format.html
      format.json { render json: @product }
    end
  rescue ActiveRecord::RecordNotFound => error
    render json: { error: error.message }, status: :not_found
  end

  def create
    product = Product.new(params.expect(product: %i[name price description]))
    return render json: product, status: :created if product.save
    render json: { errors: product.errors }, status: :unprocessable_content
  end
end
