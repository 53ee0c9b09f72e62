# frozen_string_literal: true
# Literals that are frozen are the Strings that all share.
"shared literal".equal?(-["shared", "literal"].join(" ")) # => true
key = { ["shared", "key"].join("-") => 1 }.keys.first
key.equal?("shared-key") # => true
