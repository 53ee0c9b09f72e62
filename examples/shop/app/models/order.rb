class Order < ActiveRecord::Base
  belongs_to :product
  enum :state, { placed: 0, packed: 1, sent: 2 }
  validates :quantity, numericality: { only_integer: true, greater_than: 0 }
  after_create_commit { PackOrderJob.perform_later(self) }

  def total = product.price * quantity
end
