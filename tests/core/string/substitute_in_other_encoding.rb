# Replacing text of another encoding than the string has: it makes that of the result where it replaces all, beside
# other text it must fit.
wide, latin = "\u3042".encode("UTF-16BE"), "\xE9".dup.force_encoding("ISO-8859-1")
"m".gsub(/m/) { wide } == wide # => true
"mm".gsub("m", wide).encoding.name # => "UTF-16BE"
"am".gsub(/m/) { wide } # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16BE
"ma".gsub(/m/) { wide } # raises Encoding::CompatibilityError: incompatible character encodings: UTF-16BE and UTF-8
"am".sub(/m/) { wide }.bytes # => [97, 48, 66]
"ém".sub("m", wide) # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16BE
"mé".gsub(/./) { latin }.encoding.name # => "ISO-8859-1"
"mé".gsub(/m/) { latin } # raises Encoding::CompatibilityError: incompatible character encodings: ISO-8859-1 and UTF-8
"mé".sub(/m/) { latin } # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and ISO-8859-1
