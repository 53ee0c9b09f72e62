class A
  def pub = [priv, prot]
  def call_other(o) = o.prot
  def call_private(o) = o.priv
  def self_private = self.priv

  private

  def priv = :priv

  protected

  def prot = :prot
end
a = A.new
a.pub # => [:priv, :prot]
a.priv # raises NoMethodError: private method 'priv' called for an instance of A
a.prot # raises NoMethodError: protected method 'prot' called for an instance of A
a.call_other(A.new) # => :prot
a.call_private(A.new) # raises NoMethodError: private method 'priv' called for an instance of A
a.self_private # => :priv
a.send(:priv) # => :priv
a.public_send(:priv) # raises NoMethodError: private method 'priv' called for an instance of A
a.respond_to?(:priv) # => false
a.respond_to?(:priv, true) # => true
A.private_instance_methods(false) # => [:priv]
A.protected_instance_methods # => [:prot]
