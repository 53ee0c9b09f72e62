apps_require "sequel"

db = Sequel.mock(host: "postgres")
db.columns = %i[id name] rescue nil
db[:items].columns rescue nil
class Item < Sequel::Model(db[:items].with_extend { def columns = %i[id name] })
  def_column_accessor :id, :name
  plugin :validation_helpers
  def validate
    super
    validates_presence :name
    validates_format(/\A[a-z]+\z/, :name) if name
  end
end
puts db[:items].where(a: 1..3, b: nil).exclude { c > 5 }.order(Sequel.desc(:d)).limit(10, 20)
  .select(:id, Sequel[:t][:x].as(:y)).sql
puts db[:a].join(:b, id: :b_id).left_join(Sequel[:c].as(:d), e: 1).group_and_count(:f)
  .having { count.function.* > 1 }.sql
puts db[:a].with(:r, db[:q].select(:z)).from(:r).union(db[:s], all: true).sql
db.create_table(:things) do
  primary_key :id
  String :name, null: false, unique: true
  foreign_key :o_id, :others
  index [:name, :o_id]
end
db.alter_table(:things) { add_column :price, BigDecimal, size: [10, 2]; drop_column :old; rename_column :a, :b }
db.transaction { db[:things].insert(name: "it's", price: 1.5) }
db.transaction { db[:things].where(id: 1).update(name: Sequel.function(:upper, :name)); raise Sequel::Rollback }
puts db.sqls
item = Item.new
p item.valid?, item.errors.full_messages
item.name = "UPPER"
p item.valid?, item.errors.full_messages
2000.times { |n| db[:items].where(id: n).or(name: "x#{n}").sql }
