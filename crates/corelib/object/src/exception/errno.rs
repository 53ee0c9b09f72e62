//! SystemCallError and the module Errno: one class per error number of the system.

use super::{hidden, set_hidden};
use rubellite_vm::class::{Arity, Class, ClassDef, ConstEntry, ConstFlags, method, private_method};
use rubellite_vm::object::Exception;
use rubellite_vm::{Args, Ctx, Result, Unwind, Value};

pub static SYSTEM_CALL_ERROR: ClassDef = ClassDef {
    name: "SystemCallError",
    superclass: "StandardError",
    methods: &[
        private_method("initialize", Arity::range(0, 3), system_call_initialize),
        method("errno", Arity::NONE, errno),
    ],
    singleton_methods: &[method("===", Arity::ONE, op_case_eq)],
    ..ClassDef::EMPTY
};

pub static ERRNO: ClassDef = ClassDef { name: "Errno", superclass: "", setup: Some(define_classes), ..ClassDef::EMPTY };

macro_rules! numbers {
    ($($name:ident)*) => { &[$((stringify!($name), libc::$name)),*] };
}

/// Error numbers by name; a name whose number came before is an alias.
static NUMBERS: &[(&str, i32)] = numbers! {
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV
    ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK
    ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT
    EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV
    ESRMNT
    ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC
    EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT
    ESOCKTNOSUPPORT
    ENOTSUP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET
    ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS
    ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED
    EKEYREVOKED
    EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON EWOULDBLOCK EDEADLOCK EOPNOTSUPP
};

/// Names of other systems, which stand for NOERROR here.
static FOREIGN: &[&str] = &[
    "EAUTH",
    "EBADARCH",
    "EBADEXEC",
    "EBADMACHO",
    "EBADRPC",
    "ECAPMODE",
    "EDEVERR",
    "EDOOFUS",
    "EFTYPE",
    "EIPSEC",
    "ELAST",
    "ENEEDAUTH",
    "ENOATTR",
    "ENOPOLICY",
    "ENOTCAPABLE",
    "EPROCLIM",
    "EPROCUNAVAIL",
    "EPROGMISMATCH",
    "EPROGUNAVAIL",
    "EPWROFF",
    "EQFULL",
    "ERPCMISMATCH",
    "ESHLIBVERS",
];

fn define_classes(ctx: &mut Ctx, errno: Class) -> Result<()> {
    let parent = ctx.error_class("SystemCallError");
    define(ctx, errno, parent, "NOERROR", 0);
    for (name, number) in NUMBERS {
        match errno_class(ctx, *number) {
            Some(class) => errno.set_const(ctx, name, class.value()),
            None => define(ctx, errno, parent, name, *number),
        }
    }
    let none = errno_class(ctx, 0).map_or(Value::NIL, Class::value);
    for name in FOREIGN {
        errno.set_const(ctx, name, none);
    }
    Ok(())
}

fn define(ctx: &mut Ctx, errno: Class, parent: Class, name: &str, number: i32) {
    let class = Class::new_class(ctx, Some(parent));
    let sym = ctx.intern_str(name);
    errno.set_const_raw(
        ctx,
        sym,
        ConstEntry { value: class.value(), flags: ConstFlags::default(), file: None, line: 0 },
    );
    class.set_const(ctx, "Errno", Value::fixnum(number as i64));
}

/// The class `Errno::X` of an error number.
pub fn errno_class(ctx: &Ctx, number: i32) -> Option<Class> {
    let name = if number == 0 { "NOERROR" } else { NUMBERS.iter().find(|(_, n)| *n == number)?.0 };
    let module = ctx.classes().object.class();
    let errno = module.own_const(ctx, ctx.intern("Errno")).and_then(|e| Class::try_of(e.value))?;
    let entry = errno.own_const(ctx, ctx.intern(name))?;
    Class::try_of(entry.value)
}

/// The system's text for an error number.
pub fn error_text(number: i32) -> String {
    if number == 0 {
        return "Success".into();
    }
    let text = std::io::Error::from_raw_os_error(number).to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

/// Raises the class of the error number: "No such file or directory - DETAIL" (without " - " when `detail` is empty).
#[cold]
pub fn system_call_error(ctx: &mut Ctx, number: i32, detail: &str) -> Unwind {
    let text = error_text(number);
    let text = if detail.is_empty() { text } else { format!("{text} - {detail}") };
    let class = errno_class(ctx, number);
    let known = class.is_some();
    let class = class.unwrap_or_else(|| ctx.error_class("SystemCallError"));
    let exception = ctx.new_error(class, &text);
    if known || number != 0 {
        set_hidden(ctx, exception, "__errno", Value::fixnum(number as i64));
    }
    ctx.raise(exception)
}

/// `SystemCallError.new(message, errno, place)`, `Errno::X.new(message, place)`
fn system_call_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = ctx.real_class(recv);
    let base = ctx.error_class("SystemCallError");
    let (detail, number, place) = if class == base {
        if args.is_empty() {
            return Err(ctx.arity_error(0, 1, Some(3)));
        }
        let lone_number = args.len() == 1 && args.at(0).is_fixnum();
        if lone_number { (Value::NIL, args.at(0), Value::NIL) } else { (args.at(0), args.at(1), args.at(2)) }
    } else {
        if args.len() > 2 {
            return Err(ctx.arity_error(args.len(), 0, Some(2)));
        }
        let constant = ctx.intern("Errno");
        (args.at(0), ctx.const_get(class, constant, true)?, args.at(1))
    };
    let mut text = "unknown error".to_string();
    if !number.is_nil() {
        let n = ctx.to_int(number)?;
        let n = i32::try_from(n).map_err(|_| {
            ctx.range_error(&format!("integer {n} too {} to convert to 'int'", if n < 0 { "small" } else { "big" }))
        })?;
        text = error_text(n);
        if class == base
            && let (Some(specific), Some(header)) = (errno_class(ctx, n), recv.header())
        {
            header.klass.set(specific.value());
            ctx.write_barrier(recv, specific.value());
        }
    }
    if !detail.is_nil() {
        let detail = ctx.to_str(detail)?;
        if !place.is_nil() {
            let place = ctx.to_s(place)?.to_lossy(ctx).into_owned();
            text = format!("{text} @ {place}");
        }
        let message = rubellite_vm::object::Str::utf8(ctx, &format!("{text} - "));
        message.append_str(ctx, detail);
        if !detail.is_ascii_only(ctx) {
            message.set_encoding(detail.encoding());
        }
        set_message(ctx, recv, message.value());
    } else {
        let message = super::string(ctx, &text);
        set_message(ctx, recv, message);
    }
    set_hidden(ctx, recv, "__errno", number);
    Ok(Value::NIL)
}

fn set_message(ctx: &mut Ctx, recv: Value, message: Value) {
    if let Some(e) = Exception::try_of(recv) {
        e.set_message(ctx, message);
    }
}

/// `errno -> integer or nil`
fn errno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(number) = hidden(ctx, recv, "__errno") {
        return Ok(number);
    }
    let constant = ctx.intern("Errno");
    let class = ctx.real_class(recv);
    Ok(class.find_const(ctx, constant, false).map_or(Value::NIL, |(_, e)| e.value))
}

/// `Errno::X === exception -> true or false`: compares error numbers.
fn op_case_eq(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let exception = args.at(0);
    let base = ctx.error_class("SystemCallError").value();
    let name = ctx.names().errno;
    if !ctx.is_a(exception, base) {
        if !ctx.respond_to(exception, name, false)? {
            return Ok(Value::FALSE);
        }
    } else if class.value() == base {
        return Ok(Value::TRUE);
    }
    let theirs = ctx.call(exception, name, &[])?;
    let constant = ctx.intern("Errno");
    let mine = ctx.const_get(class, constant, true)?;
    Ok(Value::from_bool(ctx.equal(theirs, mine)?))
}
