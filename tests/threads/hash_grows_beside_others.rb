# A long Hash lets other threads run while it doubles: what they store and delete meanwhile is neither lost nor doubled.
program = <<~'RUBY'
  hash = Array.new(1 << 20) { it }.tally
  threads = Array.new(4) do |thread|
    Thread.new do
      200.times do |i|
        hash["#{thread} #{i}"] = i
        hash[[:same, i]] = thread
        hash.delete(thread * 1000 + i)
      end
    end
  end
  threads.each(&:join)
  p hash.size, [hash.key?(199), hash[200], hash.key?(3199), hash[3200], hash["0 0"], hash["3 199"]]
  p hash.keys.last(1000).count { |key| key.is_a?(Array) }, hash.count { |key, value| hash[key] != value }

  # Emptied or cut while another thread stores.
  2.times do |way|
    hash = Array.new(1 << 20) { it }.tally
    other = Thread.new { way == 0 ? hash.clear : 1000.times { hash.shift } }
    hash[:one] = 1
    other.join
    p way == 0 ? hash.size < 2 : [hash.size, hash[:one]] == [(1 << 20) - 999, 1]
  end
RUBY
# Without the stress modes, in which so many entries take too long.
out = IO.popen([{ "RUBELLITE_STRESS" => nil }, RbConfig.ruby, "-e", program, err: [:child, :out]], &:read)
out.lines(chomp: true) # => ["1048776", "[false, 1, false, 1, 0, 199]", "200", "0", "true", "true"]
