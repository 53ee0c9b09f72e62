//! Symbols that the VM itself uses, interned once.

use rubellite_value::Sym;

macro_rules! names {
    ($($field:ident = $text:literal,)*) => {
        /// Interned names.
        pub struct Names { $(pub $field: Sym,)* }

        impl Names {
            pub(crate) fn new(mut intern: impl FnMut(&str) -> Sym) -> Names {
                Names { $($field: intern($text),)* }
            }
        }
    };
}

names! {
    initialize = "initialize", method_missing = "method_missing", respond_to = "respond_to?",
    respond_to_missing = "respond_to_missing?", to_s = "to_s", to_str = "to_str", to_a = "to_a", to_ary = "to_ary",
    to_hash = "to_hash", to_h = "to_h", to_int = "to_int", to_i = "to_i", to_f = "to_f", to_r = "to_r",
    to_proc = "to_proc", to_sym = "to_sym",
    to_path = "to_path", to_io = "to_io",
    inspect = "inspect", call = "call", dig = "dig", each = "each", hash = "hash", eql_p = "eql?", equal_p = "equal?",
    op_eq = "==", op_neq = "!=", op_cmp = "<=>",
    op_case_eq = "===", op_not = "!", op_plus = "+", op_minus = "-", op_mul = "*", op_div = "/", op_mod = "%",
    op_pow = "**",
    op_lt = "<", op_le = "<=", op_gt = ">", op_ge = ">=", op_and = "&", op_or = "|", op_xor = "^", op_shl = "<<",
    op_shr = ">>",
    op_aref = "[]", op_aset = "[]=", op_minus_at = "-@", op_plus_at = "+@", op_tilde = "~", op_match = "=~",
    op_backtick = "`",
    coerce = "coerce", new = "new", allocate = "allocate", exception = "exception", rand = "rand", message = "message",
    full_message = "full_message", detailed_message = "detailed_message",
    backtrace = "backtrace", set_backtrace = "set_backtrace", cause = "cause",
    inherited = "inherited", included = "included", extended = "extended", prepended = "prepended",
    append_features = "append_features",
    extend_object = "extend_object", prepend_features = "prepend_features", const_missing = "const_missing",
    const_added = "const_added",
    method_added = "method_added", method_removed = "method_removed", method_undefined = "method_undefined",
    singleton_method_added = "singleton_method_added", singleton_method_removed = "singleton_method_removed",
    singleton_method_undefined = "singleton_method_undefined",
    initialize_copy = "initialize_copy", initialize_dup = "initialize_dup", initialize_clone = "initialize_clone",
    deconstruct = "deconstruct", deconstruct_keys = "deconstruct_keys", succ = "succ", size = "size", length = "length",
    begin = "begin", end_ = "end",
    write = "write", warn = "warn", dollar_bang = "$!", dollar_at = "$@", object_id = "object_id", send = "send",
    underscore_send = "__send__", id = "__id__",
    lambda = "lambda", proc = "proc", block_given_p = "block_given?", join = "join", first = "first", last = "last",
    key_p = "key?", dup = "dup", clone = "clone", freeze = "freeze",
    name = "name", receiver = "receiver", key = "key", result = "result", reason = "reason", exit_value = "exit_value",
    args = "args", status = "status", signo = "signo", errno = "errno", tag = "tag", value = "value", nil_p = "nil?",
    to_enum = "to_enum", enum_receiver = "@__receiver", enum_method = "@__meth", enum_args = "@__args",
    enum_options = "@__options", enum_size = "@__size",
}
