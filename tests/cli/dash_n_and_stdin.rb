# flags: -n
# stdin: a b
# stdin: c d
BEGIN { $words = 0 }
$words += $_.split.size
END { puts $words }
# prints: 4
