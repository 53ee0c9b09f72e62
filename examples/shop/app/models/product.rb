class Product < ActiveRecord::Base
  has_many :orders
  validates :name, presence: true, uniqueness: true
  validates :price, numericality: { greater_than_or_equal_to: 0 }
  scope :cheap, -> { where(price: ..1_000).order(:price) }

  def description_html
    Redcarpet::Markdown.new(Redcarpet::Render::HTML, tables: true, autolink: true).render(description.to_s)
  end
end
