class Product < ActiveRecord::Base
  has_many :orders
  validates :name, presence: true, uniqueness: true
  validates :price, numericality: { greater_than_or_equal_to: 0 }
  scope :cheap, -> { where(price: ..1_000).order(:price) }
end
