def m
  x = [1]
  return x
ensure
  x = [2]
  [9].each { |z| z }
end
m # => [1]
def n
  begin
    return [:a].each { |v| break v }
  ensure
    catch(:t) { throw :t }
  end
end
n # => :a
