class StringScanner
  def scan_integer(base: 10)
    case base
    when 10 then scan_base10_integer
    when 16 then scan_base16_integer
    else raise ArgumentError, "Unsupported integer base: #{base.inspect}, expected 10 or 16"
    end
  end
end

unless Object.const_defined?(:ScanError)
  ScanError = StringScanner::Error
  Object.deprecate_constant(:ScanError)
end
