# The installed pp, and what an older one does not know: hashes as Ruby 3.4 writes them, Set and Data.
installed = $LOAD_PATH.map { |dir| File.join(dir.to_s, "pp.rb") }.find { |path| File.file?(path) }
raise LoadError, "cannot load such file -- pp" unless installed
load installed

unless PP::PPMethods.method_defined?(:pp_hash_pair)
  module PP::PPMethods
    def pp_hash(hash)
      group(1, "{", "}") do
        seplist(hash, nil, :each_pair) { |key, value| group { pp_hash_pair(key, value) } }
      end
    end

    def pp_hash_pair(key, value)
      if Symbol === key
        # The key as a hash literal would have it: quoted when it is no plain word.
        text({ key => nil }.inspect[1..].delete_suffix(" nil}"))
      else
        pp key
        text " =>"
      end
      group(1) do
        breakable
        pp value
      end
    end
  end

  class Set
    def pretty_print(printer)
      printer.group(1, "#{self.class.name}[", "]") { printer.seplist(self) { |element| printer.pp element } }
    end

    def pretty_print_cycle(printer)
      printer.text(empty? ? "#{self.class.name}[]" : "#{self.class.name}[...]")
    end
  end
end

unless Data.method_defined?(:pretty_print, false)
  class Data
    def pretty_print(printer)
      name = PP.mcall(self, Kernel, :class).name
      printer.group(1, name ? "#<data #{name}" : "#<data", ">") do
        fields = PP.mcall(self, Kernel, :class).members.select { |member| respond_to?(member, true) }
        printer.seplist(fields, -> { printer.text "," }) do |member|
          printer.breakable
          printer.text "#{member}="
          printer.group(1) do
            printer.breakable ""
            printer.pp __send__(member)
          end
        end
      end
    end

    def pretty_print_cycle(printer)
      printer.text "#<data #{PP.mcall(self, Kernel, :class).name}:...>"
    end
  end
end
