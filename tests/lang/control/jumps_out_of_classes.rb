# `break` and `next` in the body of a class or module leave the loop or block around it.
[1, 2].each { |x| class C; break 5; end } # => 5
[1, 2].map { |x| class C; next 7; end; 9 } # => [7, 7]

$steps = []
$x = 0
value = while $x < 5
  $x += 1
  class C
    begin
      next if $x == 1
      [1].each { $steps << :block; break }
      module M
        begin
          next if $x == 2
        ensure
          $steps << :deep
        end
      end
      break 10 if $x == 3
    ensure
      $steps << $x
    end
  end
  $steps << :after
end
value # => 10
$steps # => [1, :block, :deep, 2, :block, :deep, 3]

$steps = []
i = 0
value = until i > 5
  $i = i += 1
  begin
    begin
      raise "x"
    rescue
      module M; next if $i < 3; end
    end
  ensure
    $steps << [i, $!]
    module M; break 1, 2; end if i == 3
  end
end
value # => [1, 2]
$steps # => [[1, nil], [2, nil], [3, nil]]
$! # => nil

while (class C; break; end; true)
end
-> { class C; break 4; end; 5 }.call # => 4
-> { class C; class D; next 4; end; end; 5 }.call # => 4

# `return` of a block of the program does not pass a lambda.
returns = proc { return }
-> { returns.call }.call # raises LocalJumpError
