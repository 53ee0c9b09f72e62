# A lazy enumerator shows the name that was called.
steps = (1..3).lazy.map {}.collect {}.flat_map {}.collect_concat {}.select {}.filter {}.find_all {}.reject {}
steps.inspect # => "#<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:map>:collect>:flat_map>:collect_concat>:select>:filter>:find_all>:reject>"
