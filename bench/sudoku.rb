# Solves sudoku puzzles by constraint and search: arrays, bit operations, recursion with blocks.
class Sudoku
  PEERS = Array.new(81) do |cell|
    row, column = cell.divmod(9)
    (0...81).select do |other|
      r, c = other.divmod(9)
      other != cell && (r == row || c == column || (r / 3 == row / 3 && c / 3 == column / 3))
    end
  end
  BITS = Array.new(512) { |mask| (0...9).count { |bit| mask[bit] == 1 } }

  attr_reader :tried

  def initialize(text)
    @start = text.chars.map { |char| char == "." ? 0 : char.to_i }
    @tried = 0
  end

  def solve
    grid = Array.new(81, 511)
    @start.each_with_index { |digit, cell| return nil if digit > 0 && !assign(grid, cell, 1 << (digit - 1)) }
    search(grid)
  end

  private

  def assign(grid, cell, bit)
    grid[cell] = bit
    PEERS[cell].each do |peer|
      mask = grid[peer]
      next if mask & bit == 0
      mask &= ~bit
      return false if mask == 0
      if BITS[mask] == 1
        return false unless assign(grid, peer, mask)
      else
        grid[peer] = mask
      end
    end
    grid[cell] == bit
  end

  def search(grid)
    @tried += 1
    best = nil
    fewest = 10
    grid.each_with_index do |mask, cell|
      count = BITS[mask]
      if count > 1 && count < fewest
        best = cell
        fewest = count
      end
    end
    return grid unless best
    9.times do |digit|
      bit = 1 << digit
      next if grid[best] & bit == 0
      copy = grid.dup
      if assign(copy, best, bit) && (solved = search(copy))
        return solved
      end
    end
    nil
  end
end

PUZZLES = %w[
  4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
  52...6.........7.13...........4..8..6......5...........418.........3..2...87.....
  8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
].freeze

30.times do
  PUZZLES.each do |puzzle|
    sudoku = Sudoku.new(puzzle)
    solved = sudoku.solve
    puts "#{solved.map { |mask| Math.log2(mask).to_i + 1 }.join} #{sudoku.tried}"
  end
end
