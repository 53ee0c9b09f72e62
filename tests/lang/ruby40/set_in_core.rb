# needs: 4.0
Set[1, 2].inspect # => "Set[1, 2]"
Set[].inspect # => "Set[]"
