require "json"
apps_require "simplecov"

File.write("lib.rb",
           "def a(x)\n  if x > 1\n    :big\n  else\n    :small\n  end\nend\n\ndef never\n  1\nend\n# :nocov:\n" \
           "def hidden = 2\n# :nocov:\nx = a(1) ? 1 : 2\n")
SimpleCov.root(Dir.pwd)
SimpleCov.formatter = Class.new do
  def format(result)
    puts(result.files.map { |file|
      [file.project_filename, file.covered_percent.round(2), file.lines.map { |line| [line.coverage, line.status] },
       file.branches_coverage_percent.round(2), file.missed_branches.map(&:report)]
    }.to_json)
  end
end
SimpleCov.print_error_status = false
SimpleCov.start { enable_coverage :branch; add_group("All", "lib"); minimum_coverage 10; command_name "here" }
load "./lib.rb"
result = SimpleCov.result
result.format!
p result.groups.keys, result.covered_percent.round(2), result.total_lines, result.original_result.values.first.keys
SimpleCov.external_at_exit = true
