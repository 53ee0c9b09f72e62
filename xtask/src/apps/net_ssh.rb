apps_require "net/ssh"

p Net::SSH::Version::CURRENT.class
key = OpenSSL::PKey::RSA.new(2048)
blob = Net::SSH::Buffer.from(:key, key).to_s
p Net::SSH::Buffer.new(blob).read_key.n == key.n, key.ssh_type
buffer = Net::SSH::Buffer.from(:byte, 1, :long, 2, :string, "three", :bool, true, :bignum,
                               OpenSSL::BN.new("12345678901234567890"))
p buffer.to_s.bytes
p [buffer.read_byte, buffer.read_long, buffer.read_string, buffer.read_bool, buffer.read_bignum.to_s]
File.write("config",
           "Host a b*\n  User me\n  Port 2222\n  IdentityFile ~/.ssh/x\nHost *\n  Compression yes\n" \
           "  ServerAliveInterval 30\n")
p Net::SSH::Config.load("config", "bcd").to_a,
  Net::SSH::Config.translate(Net::SSH::Config.load("config", "a")).sort_by { |name, _| name.to_s }
begin
  Net::SSH.start("127.0.0.1", "nobody", port: 1, timeout: 2, non_interactive: true)
rescue SystemCallError, Net::SSH::Exception => error
  puts error.class
end
