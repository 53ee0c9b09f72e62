# Pancake flips over all permutations: small arrays, indexing, integer loops.
def fannkuch(n)
  perm1 = (0...n).to_a
  count = Array.new(n, 0)
  max_flips = checksum = permutations = 0
  r = n
  while true
    while r != 1
      count[r - 1] = r
      r -= 1
    end
    perm = perm1.dup
    flips = 0
    while (k = perm[0]) != 0
      i = 0
      j = k
      while i < j
        perm[i], perm[j] = perm[j], perm[i]
        i += 1
        j -= 1
      end
      flips += 1
    end
    max_flips = flips if flips > max_flips
    checksum += permutations.even? ? flips : -flips
    while true
      return [checksum, max_flips] if r == n
      first = perm1[0]
      i = 0
      while i < r
        perm1[i] = perm1[i + 1]
        i += 1
      end
      perm1[r] = first
      count[r] -= 1
      break if count[r] > 0
      r += 1
    end
    permutations += 1
  end
end

p fannkuch(8)
p fannkuch(9)
