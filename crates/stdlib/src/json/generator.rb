# JSON: the native half of writing, as far as it is simple enough for Ruby.

module JSON
  module Ext
    module Generator
      class State
        class << self
          attr_accessor :default_sort_keys_proc
        end
        self.default_sort_keys_proc = ->(hash) { hash.sort.to_h }

        %i[indent space space_before object_nl array_nl as_json sort_keys max_nesting depth buffer_initial_length
           script_safe strict allow_nan ascii_only].each do |name|
          define_method(:"#{name}=") { |value| Primitive.json_state_set(self, name, value) }
        end
        alias escape_slash script_safe
        alias escape_slash? script_safe?
        alias escape_slash= script_safe=
      end
    end
  end
end
