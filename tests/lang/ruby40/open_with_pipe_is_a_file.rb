# needs: 4.0
open("| echo hi") # raises Errno::ENOENT
