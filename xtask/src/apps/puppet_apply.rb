require "openssl"
# Puppet 7 writes into this Hash, which the library of Ruby 4.0 freezes.
thawed = OpenSSL::SSL::SSLContext::DEFAULT_PARAMS.dup
OpenSSL::SSL::SSLContext.send(:remove_const, :DEFAULT_PARAMS)
OpenSSL::SSL::SSLContext::DEFAULT_PARAMS = thawed
# Syslog is a gem with a part in C.
$LOADED_FEATURES << "syslog.rb"
apps_require "puppet"

require "puppet/util/command_line"
require "stringio"
File.write("a.pp", <<'P')
class thing($n = 3, Array[String] $list = ['a', 'b']) {
  $list.each |$i, $x| { notify { "item ${i} ${x}": } }
  file { "${dir}/made": ensure => file, content => "hello ${n}\n", mode => '0644' }
}
$dir = $facts['here']
class { 'thing': n => 5 }
$h = { 'a' => 1, 'b' => [1,2,3] }
notice($h.map |$k, $v| { "${k}=${v}" })
notice(split('a,b,c', ','))
if $h['a'] =~ Integer[0, 5] { notice('int') }
case 'abc' { /b(.)/: { notice("match ${1}") } default: { notice('none') } }
P
ENV["FACTER_here"] = Dir.pwd
words = %W[apply --color=false --confdir=#{Dir.pwd}/c --vardir=#{Dir.pwd}/v --ssldir=#{Dir.pwd}/s --logdir=#{Dir.pwd}/l
           --rundir=#{Dir.pwd}/r --publicdir=#{Dir.pwd}/p]
shown = StringIO.new
$stdout = shown
begin
  Puppet::Util::CommandLine.new("puppet", [*words, "a.pp"]).execute
rescue SystemExit => error
  status = error.status
end
$stdout = STDOUT
puts shown.string.gsub(/in [\d.]+ seconds/, "in T").gsub(/\{sha256\}\h+/, "SUM"), status
puts File.read("made")
