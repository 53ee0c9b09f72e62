# The match that grep makes is seen by its block, whoever wrote `each`.
class Words
  include Enumerable
  def each
    %w[bar baz].each { |word| yield word }
  end
end
seen = []
Words.new.grep(/(b.)/) { seen << $1 }
seen # => ["ba", "ba"]
Words.new.grep_v(/(x)/) { seen << $~ }
seen # => ["ba", "ba", nil, nil]
