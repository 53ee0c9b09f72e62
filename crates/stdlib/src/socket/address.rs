//! Socket addresses as bytes: packing, reading, and their text.

use std::mem::offset_of;

/// Longest path of a local socket.
pub const UNIX_PATH_MAX: usize = 108;
const PATH_AT: usize = offset_of!(libc::sockaddr_un, sun_path);

/// The family of an address, `None` when it is too short to have one.
pub fn family(addr: &[u8]) -> Option<i32> {
    Some(u16::from_ne_bytes([*addr.first()?, *addr.get(1)?]) as i32)
}

pub fn pack_v4(ip: [u8; 4], port: u16) -> Vec<u8> {
    let mut out = (libc::AF_INET as u16).to_ne_bytes().to_vec();
    out.extend(port.to_be_bytes());
    out.extend(ip);
    out.resize(size_of::<libc::sockaddr_in>(), 0);
    out
}

pub fn pack_v6(ip: [u8; 16], port: u16, scope: u32) -> Vec<u8> {
    let mut out = (libc::AF_INET6 as u16).to_ne_bytes().to_vec();
    out.extend(port.to_be_bytes());
    out.extend([0; 4]);
    out.extend(ip);
    out.extend(scope.to_ne_bytes());
    out
}

/// The address of a local path: a whole `sockaddr_un`, but an abstract path (which begins with NUL) ends where its
/// bytes end, and with an empty one, for which the kernel chooses a name, there is only the family. `None`: the path is
/// too long.
pub fn pack_unix(path: &[u8]) -> Option<Vec<u8>> {
    if path.len() > UNIX_PATH_MAX {
        return None;
    }
    let mut out = (libc::AF_UNIX as u16).to_ne_bytes().to_vec();
    out.extend_from_slice(path);
    if path.first().is_some_and(|first| *first != 0) {
        out.resize(size_of::<libc::sockaddr_un>(), 0);
    }
    Some(out)
}

/// The length that bind and connect want: an ordinary path ends with its NUL, an abstract one where its bytes end.
pub fn pack_unix_for_call(path: &[u8]) -> Option<Vec<u8>> {
    let mut out = pack_unix(path)?;
    if path.first().is_some_and(|first| *first != 0) {
        out.truncate((PATH_AT + path.len() + 1).min(size_of::<libc::sockaddr_un>()));
    }
    Some(out)
}

/// The port of an IP address.
pub fn port(addr: &[u8]) -> Option<u16> {
    if addr.len() < 4 || !matches!(family(addr)?, libc::AF_INET | libc::AF_INET6) {
        return None;
    }
    Some(u16::from_be_bytes([addr[2], addr[3]]))
}

pub fn v4(addr: &[u8]) -> Option<[u8; 4]> {
    if family(addr)? != libc::AF_INET || addr.len() < size_of::<libc::sockaddr_in>() {
        return None;
    }
    addr[4..8].try_into().ok()
}

pub fn v6(addr: &[u8]) -> Option<[u8; 16]> {
    if family(addr)? != libc::AF_INET6 || addr.len() < size_of::<libc::sockaddr_in6>() {
        return None;
    }
    addr[8..24].try_into().ok()
}

/// The path of a local address: up to its last byte that is not NUL; an abstract one keeps its leading NUL.
pub fn unix_path(addr: &[u8]) -> Option<&[u8]> {
    if family(addr)? != libc::AF_UNIX {
        return None;
    }
    let path = &addr[PATH_AT.min(addr.len())..];
    let end = path.iter().rposition(|b| *b != 0).map_or(0, |at| at + 1);
    Some(&path[..end])
}

/// The numeric text of an IP address, with the scope of a link-local one.
pub fn ip_text(addr: &[u8]) -> Option<String> {
    if let Some(ip) = v4(addr) {
        return Some(std::net::Ipv4Addr::from(ip).to_string());
    }
    v6(addr)?;
    numeric_host(addr)
}

/// getnameinfo(3) with numbers, which asks nobody.
fn numeric_host(addr: &[u8]) -> Option<String> {
    let mut host = [0 as libc::c_char; libc::NI_MAXHOST as usize];
    // SAFETY: address and buffer are valid for the lengths given; the result is a C string.
    unsafe {
        let code = libc::getnameinfo(
            addr.as_ptr().cast(),
            addr.len() as libc::socklen_t,
            host.as_mut_ptr(),
            host.len() as libc::socklen_t,
            std::ptr::null_mut(),
            0,
            libc::NI_NUMERICHOST,
        );
        if code != 0 {
            return None;
        }
        Some(std::ffi::CStr::from_ptr(host.as_ptr()).to_string_lossy().into_owned())
    }
}

/// Whether `text` can stand for a local path in messages: printable without spaces.
fn plain(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|b| b.is_ascii_graphic())
}

/// `Addrinfo#inspect_sockaddr`
pub fn inspect(addr: &[u8]) -> String {
    if addr.is_empty() {
        return "empty-sockaddr".into();
    }
    match family(addr) {
        None => "too-short-sockaddr".into(),
        Some(libc::AF_UNSPEC) => "UNSPEC".into(),
        Some(libc::AF_INET) => inspect_v4(addr),
        Some(libc::AF_INET6) => inspect_v6(addr),
        Some(libc::AF_UNIX) => inspect_unix(addr),
        Some(libc::AF_PACKET) => inspect_packet(addr),
        Some(other) => match super::constants::full_name("AF_", other as i64) {
            Some(name) => format!("{name}[{}]", hex(&addr[2..], "")),
            None => format!("unknown address family {other}"),
        },
    }
}

fn inspect_v4(addr: &[u8]) -> String {
    if let Some(ip) = v4(addr) {
        let text = std::net::Ipv4Addr::from(ip).to_string();
        let mut out = match port(addr) {
            Some(0) | None => text,
            Some(port) => format!("{text}:{port}"),
        };
        if addr.len() > size_of::<libc::sockaddr_in>() {
            out += &format!(" ({} bytes for {} bytes sockaddr_in)", addr.len(), size_of::<libc::sockaddr_in>());
        }
        return out;
    }
    let octets: Vec<String> = (4..8).map(|i| addr.get(i).map_or("?".into(), u8::to_string)).collect();
    let mut out = octets.join(".");
    match (addr.get(2), addr.get(3)) {
        (Some(a), Some(b)) => match u16::from_be_bytes([*a, *b]) {
            0 => {}
            port => out += &format!(":{port}"),
        },
        (Some(a), None) => out += &format!(":{}", u16::from(*a) << 8),
        _ => out += ":?",
    }
    out + &format!(" ({} bytes for {} bytes sockaddr_in)", addr.len(), size_of::<libc::sockaddr_in>())
}

fn inspect_v6(addr: &[u8]) -> String {
    match (ip_text(addr), port(addr)) {
        (Some(text), Some(0)) => text,
        (Some(text), Some(port)) => format!("[{text}]:{port}"),
        _ => format!("too-short-AF_INET6-sockaddr {} bytes", addr.len()),
    }
}

fn inspect_unix(addr: &[u8]) -> String {
    let path = unix_path(addr).unwrap_or_default();
    if path.is_empty() {
        return "empty-path-AF_UNIX-sockaddr".into();
    }
    if !plain(path) {
        return format!("UNIX:{}", hex(path, ":"));
    }
    let text = String::from_utf8_lossy(path);
    if path[0] == b'/' { text.into_owned() } else { format!("UNIX {text}") }
}

fn hex(bytes: &[u8], separator: &str) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(separator)
}

/// A link-layer address (packet(7)), which interfaces have.
fn inspect_packet(addr: &[u8]) -> String {
    let field = |at: usize| addr.get(at..at + 2).map_or(0, |b| u16::from_ne_bytes([b[0], b[1]]));
    if addr.len() < 12 {
        return format!("PACKET[{}]", hex(&addr[2..], ":"));
    }
    let index = u32::from_ne_bytes([addr[4], addr[5], addr[6], addr[7]]);
    let mut out = format!("PACKET[protocol={} {} hatype={}", u16::from_be(field(2)), interface_name(index), field(8));
    const KINDS: [&str; 5] = ["HOST", "BROADCAST", "MULTICAST", "OTHERHOST", "OUTGOING"];
    match KINDS.get(addr[10] as usize) {
        Some(kind) => out += &format!(" {kind}"),
        None => out += &format!(" pkttype={}", addr[10]),
    }
    let len = addr[11] as usize;
    let bytes = &addr[12..(12 + len).min(addr.len())];
    if !bytes.is_empty() {
        out += &format!(" hwaddr={}", hex(bytes, ":"));
    }
    out + "]"
}

/// The name of a network interface, or "ifindexN".
pub fn interface_name(index: u32) -> String {
    let mut name = [0 as libc::c_char; libc::IF_NAMESIZE];
    // SAFETY: the buffer has the size that the call demands; on success it holds a C string.
    unsafe {
        if libc::if_indextoname(index, name.as_mut_ptr()).is_null() {
            return format!("ifindex{index}");
        }
        std::ffi::CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
    }
}
