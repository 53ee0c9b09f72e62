# flags: -w --enable-frozen-string-literal
# The strings of RbConfig are not frozen and not chilled, however literals of the program are.
require "rbconfig"

RbConfig::CONFIG.values.grep(String).select(&:frozen?) # => []
RbConfig::CONFIG["EXEEXT"].dup << "x" # => "x"
$stderr = $stdout
RbConfig::CONFIG["EXEEXT"] << "" # => ""
