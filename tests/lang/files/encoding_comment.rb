# -*- coding: us-ascii -*-
__ENCODING__ # => #<Encoding:US-ASCII>
"a".encoding # => #<Encoding:US-ASCII>
"\u00e9".encoding # => #<Encoding:UTF-8>
:a.encoding # => #<Encoding:US-ASCII>
"\xff".encoding # => #<Encoding:BINARY (ASCII-8BIT)>
