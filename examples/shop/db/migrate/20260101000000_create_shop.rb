class CreateShop < ActiveRecord::Migration[8.1]
  def change
    create_table :products do |t|
      t.string :name, null: false, index: { unique: true }
      t.integer :price, null: false
      t.text :description
      t.timestamps
    end
    create_table :orders do |t|
      t.references :product, null: false, foreign_key: true
      t.integer :quantity, null: false
      t.integer :state, null: false, default: 0
      t.timestamps
    end
  end
end
