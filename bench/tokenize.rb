# A scanner that tries short patterns at each position.
require "strscan"

SOURCE = (<<'TEXT' * 3000).freeze
def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2) # comment here
value = { "name" => "text with spaces", number: 12345, list: [1, 2.5, nil, true] }
puts value[:list].map { |x| x.to_s }.join(", ") if value.key?("name")
TEXT

def tokens(source)
  scanner = StringScanner.new(source)
  counts = Hash.new(0)
  until scanner.eos?
    if scanner.skip(/\s+/) then counts[:space] += 1
    elsif scanner.scan(/[A-Za-z_]\w*[?!]?/) then counts[:name] += 1
    elsif scanner.scan(/\d+(?:\.\d+)?/) then counts[:number] += 1
    elsif scanner.scan(/"(?:[^"\\]|\\.)*"/) then counts[:string] += 1
    elsif scanner.scan(/#[^\n]*/) then counts[:comment] += 1
    elsif scanner.scan(%r{=>|[-+*/<>=!?:.,|(){}\[\]]}) then counts[:sign] += 1
    else
      scanner.getch
      counts[:other] += 1
    end
  end
  counts
end

4.times { tokens(SOURCE) }
p tokens(SOURCE)
