# `next` in the condition of a loop evaluates the condition again, and such a loop can be interrupted.
count = 0
while (count += 1; next if count < 3; class C; next if $again.nil? && ($again = true); end; count < 6)
  count += 10
end
count # => 15

def ends?
  thread = Thread.new { yield }
  thread.join(0.02)
  thread.kill.join(20) == thread
end
ends? { nil while (next; true) } # => true
ends? { while (class C; next; end; true) do end } # => true
ends? { nil until (begin; next; ensure; 1; end; false) } # => true
