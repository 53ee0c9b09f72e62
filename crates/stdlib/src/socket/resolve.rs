//! Names and addresses: getaddrinfo(3) and getnameinfo(3).
//!
//! A question that only needs numbers is answered at once. Others may ask a server for seconds and cannot be
//! interrupted, so they run in another native thread (`helpers`) while the asking thread waits for it (`apart`): when
//! that wait ends early (kill, raise, a timeout), the answer is thrown away when it comes.

use super::{address, constants, helpers};
use rubellite_core_object::errno;
use rubellite_core_thread::apart::{self, Outcome};
use rubellite_core_thread::scheduler;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Ctx, Encoding, Result, Unwind, Value};
use std::ffi::{CStr, CString};
use std::time::Instant;

/// What to look for.
#[derive(Copy, Clone, Default)]
pub struct Hints {
    pub family: i32,
    pub socktype: i32,
    pub protocol: i32,
    pub flags: i32,
}

impl Hints {
    pub fn stream(family: i32, flags: i32) -> Hints {
        Hints { family, socktype: libc::SOCK_STREAM, protocol: 0, flags }
    }
}

/// One address of an answer.
#[derive(Clone)]
pub struct Resolved {
    pub family: i32,
    pub socktype: i32,
    pub protocol: i32,
    pub addr: Vec<u8>,
    pub canonname: Option<Vec<u8>>,
}

/// Why there is no answer: a code of getaddrinfo, and errno for EAI_SYSTEM.
#[derive(Copy, Clone, Debug)]
pub struct Failure {
    pub code: i32,
    pub errno: i32,
}

type Answer<T> = std::result::Result<T, Failure>;

/// Raises what `failure` says: Socket::ResolutionError "call: text", or SystemCallError.
#[cold]
pub fn raise(ctx: &mut Ctx, call: &str, failure: Failure) -> Unwind {
    if failure.code == libc::EAI_SYSTEM && failure.errno != 0 {
        return errno::fail(ctx, failure.errno, call);
    }
    // SAFETY: the texts are static C strings.
    let text = unsafe { CStr::from_ptr(libc::gai_strerror(failure.code)) }.to_string_lossy().into_owned();
    let class = ctx.error_class("Socket::ResolutionError");
    let exception = ctx.new_error(class, &format!("{call}: {text}"));
    let name = ctx.internal("__error_code");
    ctx.ivar_set(exception, name, Value::fixnum(failure.code as i64));
    ctx.raise(exception)
}

/// The host of an argument and flags that it brings: nil, a number, "" and "<any>", "<broadcast>", a name.
pub fn host_text(ctx: &mut Ctx, value: Value) -> Result<(Option<Vec<u8>>, i32)> {
    if value.is_nil() {
        return Ok((None, 0));
    }
    if rubellite_vm::object::integer::is_integer(value) {
        let number = rubellite_vm::object::Int::try_of(value).map_or(0, |i| i.low_u64()) as u32;
        return Ok((Some(std::net::Ipv4Addr::from(number).to_string().into_bytes()), libc::AI_NUMERICHOST));
    }
    let text = ctx.to_str(value)?.bytes(ctx).to_vec();
    if text.contains(&0) {
        return Err(ctx.null_byte_error());
    }
    if text.len() >= libc::NI_MAXHOST as usize {
        return Err(ctx.argument_error(&format!("hostname too long ({})", text.len())));
    }
    Ok(match text.as_slice() {
        b"" | b"<any>" => (Some(b"0.0.0.0".to_vec()), libc::AI_NUMERICHOST),
        b"<broadcast>" => (Some(b"255.255.255.255".to_vec()), libc::AI_NUMERICHOST),
        _ => (Some(text), 0),
    })
}

/// The service of an argument and flags that it brings.
pub fn service_text(ctx: &mut Ctx, value: Value) -> Result<(Option<Vec<u8>>, i32)> {
    if value.is_nil() {
        return Ok((None, 0));
    }
    if value.is_fixnum() {
        return Ok((Some(value.as_fixnum_unchecked().to_string().into_bytes()), libc::AI_NUMERICSERV));
    }
    let text = ctx.to_str(value)?.bytes(ctx).to_vec();
    if text.contains(&0) {
        return Err(ctx.null_byte_error());
    }
    if text.len() >= 32 {
        return Err(ctx.argument_error(&format!("service name too long ({})", text.len())));
    }
    Ok((Some(text), 0))
}

/// Resolves arguments. A numeric service without a type of socket asks for one, so that each address comes once, when
/// `once` is set. Raises when there is no answer or the deadline passes.
pub fn resolve(ctx: &mut Ctx, host: Value, service: Value, hints: Hints, once: bool) -> Result<Vec<Resolved>> {
    resolve_within(ctx, host, service, hints, once, None, "getaddrinfo")
}

pub fn resolve_within(
    ctx: &mut Ctx,
    host: Value,
    service: Value,
    mut hints: Hints,
    once: bool,
    deadline: Option<Instant>,
    call: &str,
) -> Result<Vec<Resolved>> {
    let (host, host_flags) = host_text(ctx, host)?;
    let (service, service_flags) = service_text(ctx, service)?;
    hints.flags |= host_flags | service_flags;
    let numeric = service.as_ref().is_some_and(|s| !s.is_empty() && s.iter().all(u8::is_ascii_digit));
    if once && hints.socktype == 0 && (numeric || service.is_none()) {
        hints.socktype = libc::SOCK_DGRAM;
    }
    match getaddrinfo(ctx, host, service, hints, deadline)? {
        Ok(list) => Ok(list),
        Err(failure) => Err(raise(ctx, call, failure)),
    }
}

/// getaddrinfo(3), outside the lock when it may take long.
pub fn getaddrinfo(
    ctx: &mut Ctx,
    host: Option<Vec<u8>>,
    service: Option<Vec<u8>>,
    hints: Hints,
    deadline: Option<Instant>,
) -> Result<Answer<Vec<Resolved>>> {
    let host = host.and_then(|h| CString::new(h).ok());
    let service = service.and_then(|s| CString::new(s).ok());
    let quick = Hints { flags: hints.flags | libc::AI_NUMERICHOST, ..hints };
    let plain = host.as_ref().is_none_or(|h| h.as_bytes().iter().all(|b| b.is_ascii_hexdigit() || b".:%".contains(b)));
    if plain {
        if let Some(list) = all_numeric(host.as_deref(), service.as_deref(), hints) {
            return Ok(Ok(list));
        }
        match ask_addresses(host.as_deref(), service.as_deref(), quick) {
            Err(Failure { code: libc::EAI_NONAME, .. }) if hints.flags & libc::AI_NUMERICHOST == 0 => {}
            answer => return Ok(answer),
        }
    }
    if let Some(answer) = ask_scheduler(ctx, host.as_deref(), service.as_deref(), hints)? {
        return Ok(answer);
    }
    let work = move || ask_addresses(host.as_deref(), service.as_deref(), hints);
    match in_own_thread(ctx, deadline, work)? {
        Some(answer) => Ok(answer),
        None => Ok(Err(Failure { code: libc::EAI_AGAIN, errno: 0 })),
    }
}

/// The answer of a fiber scheduler that resolves names: numeric addresses, which the system then completes.
fn ask_scheduler(
    ctx: &mut Ctx,
    host: Option<&CStr>,
    service: Option<&CStr>,
    hints: Hints,
) -> Result<Option<Answer<Vec<Resolved>>>> {
    let (Some(scheduler), Some(host)) = (scheduler::current(ctx), host) else { return Ok(None) };
    // What follows "%" names a network interface of this machine.
    let name = host.to_bytes().split(|b| *b == b'%').next().unwrap_or_default();
    let name = Str::new(ctx, name, Encoding::UTF_8).value();
    let Some(found) = scheduler::address_resolve(ctx, scheduler, name)? else { return Ok(None) };
    let unknown = Failure { code: libc::EAI_NONAME, errno: 0 };
    let Some(found) = Array::try_of(found) else { return Ok(Some(Err(unknown))) };
    let numeric = Hints { flags: hints.flags | libc::AI_NUMERICHOST, ..hints };
    let (mut all, mut failure) = (Vec::new(), unknown);
    for i in 0..found.len() {
        let Some(text) = found.get(i) else { break };
        let text = ctx.to_str(text)?;
        let address = CString::new(text.bytes(ctx)).ok();
        match ask_addresses(address.as_deref(), service, numeric) {
            Ok(list) => all.extend(list),
            Err(why) => failure = why,
        }
    }
    Ok(Some(if all.is_empty() { Err(failure) } else { Ok(all) }))
}

/// Types of socket with their protocols; raw sockets take any.
const KINDS: [(i32, i32); 3] =
    [(libc::SOCK_STREAM, libc::IPPROTO_TCP), (libc::SOCK_DGRAM, libc::IPPROTO_UDP), (libc::SOCK_RAW, 0)];

/// The answer for a host and a service that are numbers already. `None`: they are not, or there is no answer.
fn all_numeric(host: Option<&CStr>, service: Option<&CStr>, hints: Hints) -> Option<Vec<Resolved>> {
    let ip: std::net::IpAddr = host?.to_str().ok()?.parse().ok()?;
    let port = match service {
        None => 0,
        Some(text) => text.to_str().ok().filter(|t| t.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?,
    };
    let (family, addr) = match ip {
        std::net::IpAddr::V4(ip) => (libc::AF_INET, address::pack_v4(ip.octets(), port)),
        std::net::IpAddr::V6(ip) => (libc::AF_INET6, address::pack_v6(ip.octets(), port, 0)),
    };
    if hints.family != 0 && hints.family != family || hints.flags & libc::AI_CANONNAME != 0 {
        return None;
    }
    let wanted = |want: i32, have: i32| want == 0 || have == 0 || want == have;
    let kinds =
        KINDS.iter().filter(|(kind, protocol)| wanted(hints.socktype, *kind) && wanted(hints.protocol, *protocol));
    let list: Vec<_> = kinds
        .map(|&(socktype, protocol)| Resolved {
            family,
            socktype,
            protocol: if protocol == 0 { hints.protocol } else { protocol },
            addr: addr.clone(),
            canonname: None,
        })
        .collect();
    if list.is_empty() { None } else { Some(list) }
}

fn ask_addresses(host: Option<&CStr>, service: Option<&CStr>, hints: Hints) -> Answer<Vec<Resolved>> {
    let pointer = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    let mut out = Vec::new();
    // SAFETY: names are C strings or null; the list is walked before it is freed, once.
    unsafe {
        let mut wanted: libc::addrinfo = std::mem::zeroed();
        wanted.ai_family = hints.family;
        wanted.ai_socktype = hints.socktype;
        wanted.ai_protocol = hints.protocol;
        wanted.ai_flags = hints.flags;
        let mut list = std::ptr::null_mut();
        let code = libc::getaddrinfo(pointer(host), pointer(service), &wanted, &mut list);
        if code != 0 {
            return Err(Failure { code, errno: errno::last() });
        }
        let mut at = list;
        while !at.is_null() {
            let info = &*at;
            let addr = std::slice::from_raw_parts(info.ai_addr.cast::<u8>(), info.ai_addrlen as usize).to_vec();
            let canonname = if info.ai_canonname.is_null() {
                None
            } else {
                Some(CStr::from_ptr(info.ai_canonname).to_bytes().to_vec())
            };
            out.push(Resolved {
                family: info.ai_family,
                socktype: info.ai_socktype,
                protocol: info.ai_protocol,
                addr,
                canonname,
            });
            at = info.ai_next;
        }
        libc::freeaddrinfo(list);
    }
    Ok(out)
}

/// getnameinfo(3): host and service. With numbers only it asks nobody.
pub fn getnameinfo(ctx: &mut Ctx, addr: &[u8], flags: i32) -> Result<Answer<(Vec<u8>, Vec<u8>)>> {
    if flags & libc::NI_NUMERICHOST != 0 {
        return Ok(ask_names(addr, flags));
    }
    let addr = addr.to_vec();
    match in_own_thread(ctx, None, move || ask_names(&addr, flags))? {
        Some(answer) => Ok(answer),
        None => Ok(Err(Failure { code: libc::EAI_AGAIN, errno: 0 })),
    }
}

fn ask_names(addr: &[u8], flags: i32) -> Answer<(Vec<u8>, Vec<u8>)> {
    let mut host = [0 as libc::c_char; libc::NI_MAXHOST as usize];
    let mut service = [0 as libc::c_char; 64];
    // SAFETY: address and buffers are valid for the lengths given; results are C strings.
    unsafe {
        let code = libc::getnameinfo(
            addr.as_ptr().cast(),
            addr.len() as libc::socklen_t,
            host.as_mut_ptr(),
            host.len() as libc::socklen_t,
            service.as_mut_ptr(),
            service.len() as libc::socklen_t,
            flags,
        );
        if code != 0 {
            return Err(Failure { code, errno: errno::last() });
        }
        Ok((CStr::from_ptr(host.as_ptr()).to_bytes().to_vec(), CStr::from_ptr(service.as_ptr()).to_bytes().to_vec()))
    }
}

/// Runs `work` in another native thread and waits for it; `None` after the deadline.
fn in_own_thread<T: Send + 'static>(
    ctx: &mut Ctx,
    deadline: Option<Instant>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let (giver, awaited) = apart::pair();
    if !helpers::run(move || giver.give(work())) {
        return Err(errno::fail(ctx, libc::EAGAIN, "pthread_create(3)"));
    }
    match awaited.wait(ctx, deadline)? {
        Outcome::Done(answer) => Ok(Some(answer)),
        Outcome::Late | Outcome::Lost => Ok(None),
    }
}

/// "AF_INET" and the like, "unknown:N" for families without a name.
pub fn family_text(family: i32) -> String {
    constants::full_name("AF_", family as i64).map_or_else(|| format!("unknown:{family}"), str::to_string)
}

/// The array of `IPSocket#addr`: family, port, host, number. The host is looked up when `lookup` says so.
pub fn ip_array(ctx: &mut Ctx, addr: &[u8], lookup: bool) -> Result {
    let family = family_text(address::family(addr).unwrap_or(0));
    let family = Str::ascii(ctx, &family).value();
    let list = rubellite_vm::object::Array::new(ctx);
    list.push(ctx, family);
    let number = address::ip_text(addr).unwrap_or_default();
    list.push(ctx, Value::fixnum(address::port(addr).unwrap_or(0) as i64));
    let host = match lookup {
        true => match getnameinfo(ctx, addr, libc::NI_NUMERICSERV)? {
            Ok((host, _)) => host,
            Err(_) => number.clone().into_bytes(),
        },
        false => number.clone().into_bytes(),
    };
    let host = Str::new(ctx, &host, Encoding::UTF_8).value();
    list.push(ctx, host);
    let number = Str::ascii(ctx, &number).value();
    list.push(ctx, number);
    Ok(list.value())
}
