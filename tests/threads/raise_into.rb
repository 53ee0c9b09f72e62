t = Thread.new do
  begin
    sleep
  rescue => e
    [:rescued, e.class, e.message]
  end
end
Thread.pass until t.stop?
t.raise(TypeError, "sent")
t.value # => [:rescued, TypeError, "sent"]
u = Thread.new { begin; loop { }; rescue => e; e.message; end }
Thread.pass
u.raise("while it computes")
u.value rescue $!.message # => "while it computes"
Thread.new { }.join.raise("dead") # => nil
Thread.current.raise(KeyError, "to myself") # raises KeyError: to myself
