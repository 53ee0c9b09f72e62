//! Binding arguments to the parameters of Ruby code.
//!
//! The arguments lie in the call window, where the callee's frame will be: `base[1..]`. What has to be
//! allocated (rest Array, keyword Hash) is made first, while the arguments are still in place; then the
//! registers are written with no allocation in between.

use super::source::{Keywords, Source};
use crate::code::{CodeData, site_flags};
use crate::ctx::Ctx;
use crate::frame::BlockHandler;
use crate::object::{Array, Hash};
use crate::{Result, Unwind};
use rubellite_bytecode::{KeywordRest, Params};
use rubellite_value::{Sym, Value};
use smallvec::SmallVec;

/// The form of a call's arguments in its window.
#[derive(Copy, Clone)]
pub(crate) struct ArgInfo<'a> {
    pub argc: usize,
    /// `site_flags`.
    pub flags: u16,
    /// Names of literal keywords.
    pub keywords: &'a [Sym],
}

impl<'a> ArgInfo<'a> {
    /// Positional arguments, the last of which may be a keyword Hash.
    pub fn plain(argc: usize, keywords: bool) -> ArgInfo<'a> {
        let flags = if keywords && argc > 0 { site_flags::KEYWORD_SPLAT } else { 0 };
        ArgInfo::new(argc, flags, &[])
    }

    pub fn new(argc: usize, flags: u16, keywords: &'a [Sym]) -> ArgInfo<'a> {
        ArgInfo { argc, flags, keywords }
    }

    /// How many words of the window are keywords.
    #[inline]
    pub fn keyword_words(&self) -> usize {
        if self.flags & site_flags::KEYWORD_SPLAT != 0 {
            1
        } else if self.flags & site_flags::KEYWORDS != 0 {
            self.keywords.len()
        } else {
            0
        }
    }

    /// A splat call's words before the Array of the further positional arguments.
    #[inline]
    pub fn before_splat(&self) -> usize {
        self.argc - self.keyword_words() - 1
    }

    /// The Array of a splat call, and how many words lie before it.
    ///
    /// # Safety
    /// `window` holds the arguments that this tells of, with a splat.
    #[inline]
    pub unsafe fn splat(&self, window: *mut Value) -> (Array, usize) {
        let before = self.before_splat();
        // SAFETY: by contract; the compiler puts nothing but an Array there.
        (Array::known(unsafe { *window.add(before) }), before)
    }
}

/// How strictly the number of arguments is checked.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Methods and lambdas: a wrong number is an ArgumentError.
    Method,
    /// Blocks and procs: missing ones are nil, surplus is dropped, a lone Array is spread.
    Proc,
}

/// Splats up to this length are laid out in the window.
const SHORT_SPLAT: usize = 32;

/// A stack of this depth may have rest parameters of this many elements in all its frames. Without a limit the memory
/// of an endless recursion through `f(*a, 1)` would grow with the square of the depth.
const LONG_REST: usize = 8000;

/// Up to 24 values on the machine stack, where they are roots.
// tidy: what has spilled is in the window or in a list or Hash there, too
type Values = SmallVec<[Value; 24]>;

impl Ctx {
    /// Binds the window at `base` to the parameters of `code`; returns the pc to start at.
    pub(crate) fn bind(
        &mut self,
        code: &CodeData,
        base: *mut Value,
        info: &ArgInfo,
        block: BlockHandler,
        strict: Strictness,
    ) -> Result<usize> {
        let params = &code.iseq.params;
        if code.simple && info.flags & site_flags::COMPLEX == 0 && strict == Strictness::Method {
            if info.argc == code.required as usize {
                return Ok(0);
            }
            return Err(self.parameter_error(params, info.argc));
        }
        // SAFETY: the window holds the arguments behind the receiver.
        let window = unsafe { base.add(1) };
        if params.packed && info.flags & site_flags::COMPLEX == 0 {
            let source = self.positional(window, info)?;
            self.write_packed(base, &source);
            return Ok(0);
        }
        let bound = match strict {
            Strictness::Method => self.bind_where_they_lie(code, base, info, block),
            Strictness::Proc => self.bind_block_where_they_lie(code, base, info, block),
        };
        if let Some(start) = bound {
            return start;
        }
        let mut source = self.positional(window, info)?;
        let mut keywords = self.given_keywords(window, info, &mut source)?;
        // Keywords, even none by `**{}`, show that an Array is one of the arguments, not all of them.
        let keywords_passed = info.flags & (site_flags::KEYWORDS | site_flags::KEYWORD_SPLAT) != 0
            || source.list.is_some_and(|list| source.list_len < list.len());
        if !accepts_keywords(params) {
            if params.keyword_rest == KeywordRest::Refused {
                if keywords.is_given() {
                    return Err(self.argument_error("no keywords accepted"));
                }
            } else if let Some(hash) = self.keywords_as_hash(&keywords)? {
                if code.iseq.params.ruby2_keywords || self.wants_ruby2_keywords(code) {
                    Hash::known(hash).set_ruby2_keywords(true);
                }
                source.extra = hash;
                keywords = Keywords::None;
            } else {
                keywords = Keywords::None;
            }
        }
        if params.packed {
            self.write_packed(base, &source);
            return Ok(0);
        }
        if strict == Strictness::Proc {
            // Required parameters alone take no notice of `**{}`.
            if !keywords_passed || code.simple {
                self.spread_lone_array(params, &mut source)?;
            }
        } else {
            let given = source.len();
            if given < (params.required + params.post) as usize
                || (!params.rest && given > (params.required + params.optional + params.post) as usize)
            {
                return Err(self.parameter_error_with_keywords(params, given, &keywords, code));
            }
        }
        self.write_parameters(code, base, source, keywords, block)
    }

    /// The arguments of a method where they need not leave the window. `None`: they have to.
    #[inline]
    fn bind_where_they_lie(
        &mut self,
        code: &CodeData,
        base: *mut Value,
        info: &ArgInfo,
        block: BlockHandler,
    ) -> Option<Result<usize>> {
        let params = &code.iseq.params;
        // SAFETY: the window holds the arguments behind the receiver.
        let window = unsafe { base.add(1) };
        if code.in_place {
            if info.flags & site_flags::COMPLEX == 0 {
                return Some(self.bind_in_place(code, window, info.argc, block));
            }
            if info.flags & site_flags::COMPLEX == site_flags::KEYWORDS
                && !params.keywords.is_empty()
                && let Some(start) = self.bind_keywords_in_place(code, window, info)
            {
                return Some(Ok(start));
            }
        }
        if code.simple || code.in_place {
            return self.bind_short_splat(code, base, info, block, Strictness::Method);
        }
        None
    }

    /// The same for a block: where there are enough arguments, and a lone one is not taken apart.
    #[inline]
    fn bind_block_where_they_lie(
        &mut self,
        code: &CodeData,
        base: *mut Value,
        info: &ArgInfo,
        block: BlockHandler,
    ) -> Option<Result<usize>> {
        let params = &code.iseq.params;
        // SAFETY: the window holds the arguments behind the receiver.
        let window = unsafe { base.add(1) };
        if !code.in_place {
            return None;
        }
        match info.flags & site_flags::COMPLEX {
            0 => {
                let (required, positional) = (params.required as usize, (params.required + params.optional) as usize);
                let whole = info.argc != 1 || positional == 0;
                let fits = whole && info.argc >= required && (params.rest || info.argc <= positional);
                fits.then(|| self.bind_in_place(code, window, info.argc, block))
            }
            site_flags::SPLAT => self.bind_short_splat(code, base, info, block, Strictness::Proc),
            _ => None,
        }
    }

    /// Binds the elements of a short splat as plain arguments, where no rest takes the list itself. `None`: nothing was
    /// done.
    fn bind_short_splat(
        &mut self,
        code: &CodeData,
        base: *mut Value,
        info: &ArgInfo,
        block: BlockHandler,
        strict: Strictness,
    ) -> Option<Result<usize>> {
        let params = &code.iseq.params;
        if params.rest && (params.anonymous_rest || info.flags & site_flags::FRESH_SPLAT != 0) {
            return None;
        }
        // SAFETY: the window holds the arguments behind the receiver.
        let window = unsafe { base.add(1) };
        let (list, argc) = self.lay_out_splat(window, info)?;
        let start = if strict == Strictness::Method && code.in_place && !code.simple && !params.packed {
            self.bind_in_place(code, window, argc, block)
        } else {
            self.bind(code, base, &ArgInfo::plain(argc, false), block, strict)
        };
        // Roots what the window holds behind the caller's registers.
        std::hint::black_box(list);
        Some(start)
    }

    /// Makes plain arguments of a short splat without keywords: the list and their number. None: nothing was done.
    #[inline]
    fn lay_out_splat(&mut self, window: *mut Value, info: &ArgInfo) -> Option<(Array, usize)> {
        let (list, before) = self.plain_splat(window, info)?;
        let items = list.slice(self);
        if items.len() > SHORT_SPLAT {
            return None;
        }
        // SAFETY: every frame's registers are followed by more room than that, and the words before the list are the
        // caller's.
        unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), window.add(before), items.len()) };
        Some((list, before + items.len()))
    }

    /// The list of a call without keywords, and how many arguments come before its elements.
    pub(super) fn plain_splat(&self, window: *mut Value, info: &ArgInfo) -> Option<(Array, usize)> {
        let kinds = info.flags & site_flags::COMPLEX;
        if kinds & !site_flags::KEYWORD_SPLAT != site_flags::SPLAT {
            return None;
        }
        if kinds & site_flags::KEYWORD_SPLAT != 0 {
            // SAFETY: the keyword Hash is the last word of the window.
            let keywords = unsafe { *window.add(info.argc - 1) };
            if !keywords.is_nil() && Hash::try_of(keywords).is_none_or(|hash| !hash.is_empty()) {
                return None;
            }
        }
        // SAFETY: the window holds the arguments of a splat call.
        let (list, before) = unsafe { info.splat(window) };
        let flagged = list.slice(self).last().and_then(|last| Hash::try_of(*last)).is_some_and(Hash::is_ruby2_keywords);
        (!flagged).then_some((list, before))
    }

    /// Makes plain arguments of a splat without keywords and without arguments before it, from its element `skip` on,
    /// behind `names`; their number. None: nothing was done.
    pub(super) fn spread_splat(
        &mut self,
        window: *mut Value,
        info: &ArgInfo,
        skip: usize,
        names: &[Value],
    ) -> Option<usize> {
        let (list, before) = self.plain_splat(window, info)?;
        if before > 0 {
            return None;
        }
        let items = list.slice(self).get(skip..)?;
        let count = names.len() + items.len();
        let room = (self.values_limit as usize).saturating_sub(window as usize) / size_of::<Value>();
        if count > super::STACK_ARGS_MAX || count + 64 > room {
            return None;
        }
        // SAFETY: the room was checked; elements of an Array do not lie on the value stack. What is laid out is below
        // `sp`.
        unsafe {
            std::ptr::copy_nonoverlapping(items.as_ptr(), window.add(names.len()), items.len());
            std::ptr::copy_nonoverlapping(names.as_ptr(), window, names.len());
            self.sp = self.sp.max(window.add(count));
        }
        Some(count)
    }

    /// See [`Params::packed`].
    fn write_packed(&mut self, base: *mut Value, source: &Source) {
        let count = source.len();
        let packed = match count {
            0 => Value::NIL,
            1 => source.get(0),
            _ => self.gather(source, 0, count).value(),
        };
        // SAFETY: the frame's registers were checked to fit before binding.
        unsafe {
            *base.add(1) = packed;
            *base.add(2) = if count == 1 { Value::NIL } else { Value::TRUE };
        }
    }

    /// A new Array of `len` arguments from `start` on. What lies in a splat's list is not copied one by one.
    fn gather(&mut self, source: &Source, start: usize, len: usize) -> Array {
        let array = match source.list {
            Some(list) if source.window_len == 0 => {
                // Conversions that ran since may have shortened it.
                let present = source.list_len.min(list.len());
                let start = start.min(present);
                list.subseq(self, start, len.min(present - start))
            }
            _ => Array::new(self),
        };
        for i in array.len()..len {
            array.push(self, source.get(start + i));
        }
        array
    }

    /// `gather` from the fresh list of a splat: the list itself, if that has all there is.
    fn take_over(&mut self, source: &Source, start: usize, len: usize) -> Array {
        match source.list {
            Some(list) if source.window_len == 0 && list.len() == source.list_len => {
                let extra = (!source.extra.is_undef() && start <= source.list_len && start + len > source.list_len)
                    .then_some(source.extra);
                list.truncate(self, (start + len).min(source.list_len));
                if start > 0 {
                    list.splice(self, 0..start.min(list.len()), &[]);
                }
                if let Some(hash) = extra {
                    list.push(self, hash);
                }
                list
            }
            _ => self.gather(source, start, len),
        }
    }

    /// SystemStackError when the frames below would hold too much if each had a rest parameter of `len` elements.
    #[inline]
    fn check_rest(&mut self, len: usize) -> Result<()> {
        let depth = (self.frame as usize).saturating_sub(self.stack.frames as usize) / size_of::<crate::frame::Frame>();
        if depth > LONG_REST && len.min(LONG_REST) * depth > LONG_REST * LONG_REST {
            Err(self.stack_overflow())
        } else {
            Ok(())
        }
    }

    /// Required and optional parameters, a rest and a block: the arguments already lie in their registers.
    fn bind_in_place(
        &mut self,
        code: &CodeData,
        window: *mut Value,
        argc: usize,
        block: BlockHandler,
    ) -> Result<usize> {
        let params = &code.iseq.params;
        let (required, optional) = (params.required as usize, params.optional as usize);
        if argc < required || (!params.rest && argc > required + optional) || params.keywords.iter().any(|k| k.required)
        {
            return Err(self.unbound_error(code, argc));
        }
        let positional = required + optional;
        let given = argc.min(positional);
        let mut next = positional;
        // SAFETY: the arguments lie in the window.
        let extra = unsafe { std::slice::from_raw_parts(window.add(given), argc - given) };
        let rest = if params.rest {
            self.check_rest(extra.len())?;
            if extra.is_empty() && params.anonymous_rest {
                self.vm().no_elements.get()
            } else {
                Array::from_slice(self, extra).value()
            }
        } else {
            Value::NIL
        };
        // No collection sees the registers until the frame is pushed: all is made before one is written.
        let proc = if params.block { self.block_to_value(block) } else { Value::NIL };
        // SAFETY: the registers were checked to fit.
        unsafe {
            if params.rest {
                *window.add(next) = rest;
                next += 1;
            }
            for i in given..positional {
                *window.add(i) = Value::NIL;
            }
            for _ in &params.keywords {
                *window.add(next) = Value::UNDEF;
                next += 1;
            }
            if params.anonymous_keyword_rest {
                *window.add(next) = Value::NIL;
                next += 1;
            }
            if params.block {
                *window.add(next) = proc;
            }
        }
        Ok(if optional > 0 { params.opt_table[given - required] as usize } else { 0 })
    }

    /// Why `argc` positional arguments without keywords do not fit.
    #[cold]
    fn unbound_error(&mut self, code: &CodeData, argc: usize) -> Unwind {
        let params = &code.iseq.params;
        let (min, max) = (params.required as usize, (params.required + params.optional) as usize);
        if argc < min || (!params.rest && argc > max) {
            return self.parameter_error_with_keywords(params, argc, &Keywords::None, code);
        }
        // tidy: symbols are immediates
        let missing: SmallVec<[Value; 4]> =
            params.keywords.iter().filter(|k| k.required).map(|k| Value::symbol(code.names[k.name as usize])).collect();
        self.keyword_error("missing", &missing)
    }

    /// Literal keywords for a method of required parameters and keywords, and a keyword rest without a name that
    /// nothing is left for. None: the general way decides.
    fn bind_keywords_in_place(&mut self, code: &CodeData, window: *mut Value, info: &ArgInfo) -> Option<usize> {
        let params = &code.iseq.params;
        let positional = info.argc - info.keywords.len();
        if positional != params.required as usize
            || params.optional > 0
            || params.rest
            || params.block
            || info.keywords.len() > params.keywords.len()
        {
            return None;
        }
        let mut values: SmallVec<[Value; 8]> = SmallVec::new(); // tidy: no allocation until they are in their registers
        let mut used = 0;
        for keyword in &params.keywords {
            let name = code.names[keyword.name as usize];
            match info.keywords.iter().position(|n| *n == name) {
                Some(i) => {
                    used += 1;
                    // SAFETY: keyword values lie behind the positional arguments.
                    values.push(unsafe { *window.add(positional + i) });
                }
                None if keyword.required => return None,
                None => values.push(Value::UNDEF),
            }
        }
        if used != info.keywords.len() {
            return None;
        }
        for (i, value) in values.iter().enumerate() {
            // SAFETY: the registers were checked to fit.
            unsafe { *window.add(positional + i) = *value };
        }
        if params.anonymous_keyword_rest {
            // SAFETY: its register is behind those of the keywords.
            unsafe { *window.add(positional + values.len()) = Value::NIL };
        }
        Some(0)
    }

    fn positional(&mut self, window: *mut Value, info: &ArgInfo) -> Result<Source> {
        if info.flags & site_flags::SPLAT != 0 {
            // SAFETY: the window holds the arguments of a splat call.
            let (list, before) = unsafe { info.splat(window) };
            let fresh = info.flags & site_flags::FRESH_SPLAT != 0;
            Ok(Source {
                window,
                window_len: before,
                list: Some(list),
                list_len: list.len(),
                fresh,
                extra: Value::UNDEF,
            })
        } else {
            Ok(Source {
                window,
                window_len: info.argc - info.keyword_words(),
                list: None,
                list_len: 0,
                fresh: false,
                extra: Value::UNDEF,
            })
        }
    }

    fn given_keywords<'a>(
        &mut self,
        window: *mut Value,
        info: &ArgInfo<'a>,
        source: &mut Source,
    ) -> Result<Keywords<'a>> {
        if info.flags & site_flags::KEYWORD_SPLAT != 0 {
            let keywords = self.splatted_keywords(window, info)?;
            // The conversion may have changed the list.
            source.list_len = source.list.map_or(0, Array::len);
            return Ok(match keywords {
                Some(hash) if info.flags & site_flags::FRESH_KEYWORDS != 0 => Keywords::Hash(hash),
                Some(hash) => Keywords::Lent(hash),
                None => Keywords::None,
            });
        }
        if info.flags & site_flags::KEYWORDS != 0 {
            let first = info.argc - info.keywords.len();
            // SAFETY: keyword values are the last words of the window.
            return Ok(Keywords::Literal(info.keywords, unsafe { window.add(first) }));
        }
        // A splat whose last element is a Hash flagged by ruby2_keywords passes it as keywords.
        let last = source.list.and_then(|list| list.slice(self).last().copied()).and_then(Hash::try_of);
        match last.filter(|hash| hash.is_ruby2_keywords()) {
            Some(hash) => {
                source.list_len -= 1;
                Ok(if hash.is_empty() { Keywords::None } else { Keywords::Lent(hash.value()) })
            }
            None => Ok(Keywords::None),
        }
    }

    fn keywords_as_hash(&mut self, keywords: &Keywords) -> Result<Option<Value>> {
        match keywords {
            Keywords::None => Ok(None),
            Keywords::Hash(hash) => Ok(Some(*hash)),
            Keywords::Lent(hash) => Ok(Some(self.own_keywords(*hash))),
            Keywords::Literal(names, values) => {
                let hash = Hash::new(self);
                for (i, name) in names.iter().enumerate() {
                    // SAFETY: one value per name lies in the window.
                    hash.insert(self, Value::symbol(*name), unsafe { *values.add(i) })?;
                }
                Ok(Some(hash.value()))
            }
        }
    }

    /// Whether the method that runs `code` was marked by ruby2_keywords.
    fn wants_ruby2_keywords(&self, code: &CodeData) -> bool {
        code.ruby2_keywords.get()
    }

    /// A proc that takes more than one argument and is given a lone Array takes its elements.
    fn spread_lone_array(&mut self, params: &Params, source: &mut Source) -> Result<()> {
        let mandatory = params.required + params.post;
        // One optional parameter takes it whole, also before a rest.
        let spreads = mandatory + params.optional > 1 || (mandatory == 1 && (params.rest || params.excess_comma));
        if !spreads || source.len() != 1 {
            return Ok(());
        }
        let lone = source.get(0);
        if let Some(array) = self.check_array(lone)? {
            *source = Source {
                window: source.window,
                window_len: 0,
                list: Some(array),
                list_len: array.len(),
                fresh: false,
                extra: Value::UNDEF,
            };
        }
        Ok(())
    }

    fn write_parameters(
        &mut self,
        code: &CodeData,
        base: *mut Value,
        source: Source,
        keywords: Keywords,
        block: BlockHandler,
    ) -> Result<usize> {
        let params = &code.iseq.params;
        let given = source.len();
        let (required, optional, post) = (params.required as usize, params.optional as usize, params.post as usize);
        let opt_given = given.saturating_sub(required + post).min(optional);
        let after_opt = required + opt_given;
        let rest_len = if params.rest { given.saturating_sub(required + post + opt_given) } else { 0 };
        let post_at = if params.rest {
            after_opt + rest_len
        } else {
            after_opt.max(given.min(required + optional + post).saturating_sub(post))
        };
        let mut values = Values::new();
        for i in 0..required {
            values.push(source.get(i));
        }
        for i in 0..optional {
            values.push(if i < opt_given { source.get(required + i) } else { Value::NIL });
        }
        let rest_at = values.len();
        values.extend(params.rest.then_some(Value::NIL));
        for i in 0..post {
            // A proc with too few arguments fills the required ones first.
            values.push(source.get(post_at.max(required.min(given)) + i));
        }
        let flagged = source.list.is_some_and(|list| list.len() != source.list_len);
        // Everything that allocates comes before the window is overwritten.
        if params.rest {
            self.check_rest(rest_len)?;
            values[rest_at] = match params.anonymous_rest.then(|| self.lent_rest(&source, rest_len)).flatten() {
                Some(list) => list,
                None if source.fresh && !values.spilled() => self.take_over(&source, after_opt, rest_len).value(),
                None => self.gather(&source, after_opt, rest_len).value(),
            };
        }
        let mut keyword_values: SmallVec<[Value; 8]> = SmallVec::new(); // tidy: see `match_keywords`
        let mut keyword_rest = Value::NIL;
        if accepts_keywords(params) {
            keyword_rest = self.match_keywords(code, &keywords, &mut keyword_values)?;
        }
        if params.anonymous_keyword_rest && !params.forwards_all && keyword_rest.is_nil() && flagged {
            keyword_rest = Hash::new(self).value(); // An empty Hash flagged by ruby2_keywords stays one.
        }
        if params.no_block && !block.is_nil() {
            return Err(self.argument_error("no block accepted"));
        }
        let block = if params.block { self.block_to_value(block) } else { Value::NIL };
        for value in keyword_values {
            values.push(value);
        }
        if params.keyword_rest == KeywordRest::Named {
            values.push(keyword_rest);
        }
        if params.block {
            values.push(block);
        }
        for (i, value) in values.iter().enumerate() {
            // SAFETY: the frame's registers were checked to fit before binding.
            unsafe { *base.add(1 + i) = *value };
        }
        Ok(if optional > 0 { params.opt_table.get(opt_given).copied().unwrap_or(0) as usize } else { 0 })
    }

    /// The rest of `len` arguments for a parameter without a name, where none has to be made.
    fn lent_rest(&self, source: &Source, len: usize) -> Option<Value> {
        match source.list {
            Some(list) if len == list.len() && len == source.list_len && len == source.len() => Some(list.value()),
            // A list whose flagged Hash was taken off.
            Some(list) if list.len() != source.list_len => None,
            _ => (len == 0).then(|| self.vm().no_elements.get()),
        }
    }

    /// Values for the keyword parameters (undef: not given) and the Hash of the others.
    /// `values` lie on the machine stack; those that have spilled are also in the window or in a Hash that it keeps.
    // tidy: see above
    fn match_keywords(&mut self, code: &CodeData, keywords: &Keywords, values: &mut SmallVec<[Value; 8]>) -> Result {
        let params = &code.iseq.params;
        let mut missing: SmallVec<[Sym; 4]> = SmallVec::new();
        let mut taken = 0;
        for keyword in &params.keywords {
            let name = code.names[keyword.name as usize];
            let value = keywords.get(self, name);
            if value.is_undef() && keyword.required {
                missing.push(name);
            }
            taken += !value.is_undef() as usize;
            values.push(value);
        }
        if !missing.is_empty() {
            let missing: SmallVec<[Value; 4]> = missing.into_iter().map(Value::symbol).collect(); // tidy: immediates
            return Err(self.keyword_error("missing", &missing));
        }
        let known = |sym: Sym| params.keywords.iter().any(|k| code.names[k.name as usize] == sym);
        let mut rest = Value::NIL;
        let mut unknown: SmallVec<[Value; 4]> = SmallVec::new(); // tidy: keys of the keywords, which the window keeps
        let named_rest = params.keyword_rest == KeywordRest::Named;
        if !named_rest && taken == keywords.len() {
            return Ok(rest);
        }
        if params.anonymous_keyword_rest
            && let Some(lent) = keywords.lent(taken)
        {
            return Ok(lent);
        }
        if named_rest && params.keywords.is_empty() {
            return Ok(self.keywords_as_hash(keywords)?.unwrap_or_else(|| Hash::new(self).value()));
        }
        let own = match keywords {
            Keywords::Hash(hash) if !values.spilled() => Some(*hash),
            // What is lent stays in the window, with the values.
            Keywords::Lent(hash) => Some(*hash),
            _ => None,
        };
        if let (true, Some(hash)) = (named_rest, own) {
            let rest = if matches!(keywords, Keywords::Lent(_)) { self.own_keywords(hash) } else { hash };
            for keyword in &params.keywords {
                Hash::known(rest).delete(self, Value::symbol(code.names[keyword.name as usize]))?;
            }
            return Ok(rest);
        }
        if named_rest {
            rest = Hash::new(self).value();
        }
        for (key, value) in keywords.pairs(self) {
            if key.as_symbol().is_some_and(known) {
                continue;
            }
            if named_rest {
                Hash::known(rest).insert(self, key, value)?;
            } else {
                unknown.push(key);
            }
        }
        if !unknown.is_empty() {
            return Err(self.keyword_error("unknown", &unknown));
        }
        Ok(rest)
    }

    #[cold]
    fn keyword_error(&mut self, what: &str, keys: &[Value]) -> Unwind {
        let mut list = Vec::new();
        for key in keys {
            match self.inspect(*key) {
                Ok(text) => list.push(text),
                Err(unwind) => return unwind,
            }
        }
        let plural = if list.len() == 1 { "" } else { "s" };
        self.argument_error(&format!("{what} keyword{plural}: {}", list.join(", ")))
    }

    #[cold]
    fn parameter_error(&mut self, params: &Params, given: usize) -> Unwind {
        let min = (params.required + params.post) as usize;
        let max = if params.rest { None } else { Some(min + params.optional as usize) };
        self.arity_error(given, min, max)
    }

    #[cold]
    fn parameter_error_with_keywords(
        &mut self,
        params: &Params,
        given: usize,
        keywords: &Keywords,
        code: &CodeData,
    ) -> Unwind {
        let required: Vec<String> =
            params.keywords.iter().filter(|k| k.required).map(|k| self.sym_str(code.names[k.name as usize])).collect();
        let _ = keywords;
        if required.is_empty() {
            return self.parameter_error(params, given);
        }
        let min = (params.required + params.post) as usize;
        let expected = match (params.rest, params.optional) {
            (true, _) => format!("{min}+"),
            (false, 0) => format!("{min}"),
            (false, n) => format!("{min}..{}", min + n as usize),
        };
        let plural = if required.len() == 1 { "" } else { "s" };
        self.argument_error(&format!(
            "wrong number of arguments (given {given}, expected {expected}; required keyword{plural}: {})",
            required.join(", ")
        ))
    }
}

pub(crate) fn accepts_keywords(params: &Params) -> bool {
    !params.keywords.is_empty() || params.keyword_rest == KeywordRest::Named
}
