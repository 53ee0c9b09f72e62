//! Call sites: looking up the method of a call and keeping it in the site's inline cache (`call_site_miss`, `fill`),
//! calls that take the general path, attributes, refinements, `super` and `yield`. The fast paths are in the loop
//! (`mod.rs`).

use crate::call::{ArgInfo, Invoked, Override};
use crate::class::{Class, Found};
use crate::code::{CodeData, Site, Target, site_flags};
use crate::ctx::Ctx;
use crate::frame::{BlockHandler, Frame, as_frame_block, frame_block, frame_flags};
use crate::method::{Method, MethodBody, Visibility};
use crate::object::{Cref, Object};
use crate::{Result, Unwind};
use rubellite_value::{Sym, Tag, Value};

impl Ctx {
    /// The block that a call passes: its literal block or its block argument.
    #[inline]
    pub(crate) fn site_block(&mut self, frame: *mut Frame, site: &Site, window: *mut Value) -> Result<BlockHandler> {
        if site.block != 0 {
            // SAFETY: the frame is the running one; its code holds the child.
            unsafe {
                let code = &*(*frame).code;
                let child = code.child(self, site.block as usize - 1);
                self.frame_id(frame);
                (*frame).block_code = child.data_ptr();
            }
            return Ok(frame_block(frame));
        }
        if site.flags & site_flags::BLOCK_ARG != 0 {
            // SAFETY: the block argument lies behind the arguments.
            let value = unsafe { *window.add(site.argc as usize + 1) };
            if site.flags & site_flags::KEYWORD_SPLAT != 0 && !value.is_nil() && !value.has_tag(Tag::Proc) {
                // What is spread is converted before the block is.
                self.splatted_keywords(window.wrapping_add(1), &ArgInfo::new(site.argc as usize, site.flags, &[]))?;
            }
            return self.block_argument(value);
        }
        Ok(Value::NIL)
    }

    /// A call whose cache is empty or stale: looks the method up, fills the cache, calls.
    #[inline(never)]
    pub(crate) fn call_site_miss(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        dst: u16,
    ) -> Result<Invoked> {
        if self.vm().traced.get() != 0 {
            return Err(self.leave_plain_loop(frame));
        }
        self.call_site_lookup(frame, site, window, dst)
    }

    /// Looks the method of a site up, fills the cache, calls.
    #[inline]
    pub(crate) fn call_site_lookup(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        dst: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver; the frame is the running one.
        let (receiver, cref, caller_self) = unsafe { (*window, (*frame).cref, (*frame).self_value()) };
        let class = self.dispatch_class(receiver);
        let refined = self.may_be_refined(site.name) && has_refinements(cref);
        let found = match refined {
            true => self.find_refined(cref, class, site.name),
            false => None,
        };
        let found = found.unwrap_or_else(|| class.find_method(self, site.name));
        if self.callable(found, site, caller_self) {
            if refined {
                self.fill_refined(site, class, found, cref);
            } else {
                let filled = self.fill(site, class, found);
                // A site of several classes comes here again and again.
                if filled
                    && site.target.get() == Target::SimpleCode
                    && site.block == 0
                    && site.flags & site_flags::BLOCK_ARG == 0
                    && self.vm().traced.get() == 0
                {
                    return self.enter_simple(site, window, dst, 0);
                }
            }
            return self.call_found(frame, site, window, found, dst);
        }
        self.call_hidden(frame, site, window, found, dst)
    }

    /// A call of a site that found nothing, or what it may not call.
    #[cold]
    fn call_hidden(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        found: Found,
        dst: u16,
    ) -> Result<Invoked> {
        let block = self.site_block(frame, site, window)?;
        let explicit = site.flags & site_flags::SELF_CALL == 0;
        let info = ArgInfo::new(site.argc as usize, site.flags, site.keywords(self));
        self.leave_room(frame, window, site);
        self.prepare_missing(
            window,
            found,
            site.name,
            &info,
            block,
            dst,
            0,
            explicit,
            site.flags & site_flags::VCALL != 0,
        )
    }

    /// Whether the site may call what was found.
    fn callable(&mut self, found: Found, site: &Site, caller_self: Value) -> bool {
        let Some(method) = found.method else { return false };
        if site.flags & site_flags::SELF_CALL != 0 {
            return true;
        }
        match method.visibility() {
            Visibility::Public => true,
            Visibility::Private => false,
            Visibility::Protected => self.lets_in(method, caller_self),
        }
    }

    /// Whether code whose self is `caller` may call the protected method; a refinement protects like the class that it
    /// refines.
    pub(super) fn lets_in(&self, method: Method, caller: Value) -> bool {
        let owner = method.owner();
        let owner = Class::try_of(owner.data(self).refined_class()).unwrap_or(owner);
        self.is_a(caller, owner.real_or_module(self))
    }

    /// A call whose cache is valid but leads to the general path.
    #[inline(never)]
    pub(crate) fn call_site(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        dst: u16,
    ) -> Result<Invoked> {
        if site.target.get() == Target::Proc
            && let Some(invoked) = self.call_proc(frame, site, window, dst)?
        {
            return Ok(invoked);
        }
        // SAFETY: the frame is the running one.
        if site.target.get() == Target::Refined && site.refinements() != refined(unsafe { (*frame).cref }) {
            return self.call_site_miss(frame, site, window, dst);
        }
        let found = Found { method: Some(site.method()), pos: site.pos.get(), epoch: site.epoch.get() };
        self.call_found(frame, site, window, found, dst)
    }

    #[inline(always)]
    fn call_found(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        found: Found,
        dst: u16,
    ) -> Result<Invoked> {
        let block = self.site_block(frame, site, window)?;
        let info = ArgInfo::new(site.argc as usize, site.flags, site.keywords(self));
        self.leave_room(frame, window, site);
        if let Some(method) = found.method.filter(|_| !block.is_nil()) {
            self.check_block_use(method, site.flags & site_flags::BLOCK_ARG != 0)?;
        }
        match found.method {
            Some(method) => self.prepare_call(window, method, found.pos, &info, block, dst, 0),
            None => Err(Unwind),
        }
    }

    /// Native code that runs now works above the registers of the running frame.
    #[inline]
    pub(crate) fn leave_room(&mut self, frame: *mut Frame, window: *mut Value, site: &Site) {
        // SAFETY: the frame is the running one.
        let top = unsafe { (*frame).top() };
        // SAFETY: the window lies within the frame's registers.
        self.sp = top.max(unsafe { window.add(site.argc as usize + 2) });
    }

    pub(crate) fn fill_operator(&mut self, site: &Site, class: Class, found: Found, cref: Value) {
        if !self.may_be_refined(site.name) || !has_refinements(cref) {
            self.fill(site, class, found);
        }
    }

    /// Makes the site remember what instances of `class` have. False: it must not, and goes on remembering what it did.
    fn fill(&mut self, site: &Site, class: Class, found: Found) -> bool {
        let Some(method) = found.method else { return false };
        if self.vm().traced.get() != 0 {
            return false; // Calls stay on the general path, which reports them.
        }
        if method.visibility() == Visibility::Protected && site.flags & site_flags::SELF_CALL == 0 {
            return false; // The right to call depends on self each time.
        }
        let simple_args = site.flags & site_flags::COMPLEX == 0;
        let plain = simple_args && site.flags & site_flags::BLOCK_ARG == 0;
        let (method, pos) = self.behind_aliases(class, method, found.pos);
        let target = match method.body() {
            // Its first call links it, on the general path.
            MethodBody::Code { code, .. } if !code.is_linked() => return false,
            MethodBody::Code { code, cref } => {
                site.direct.set(code.data_ptr().cast());
                site.cref.set(*cref);
                self.code_target(site, code.data())
            }
            MethodBody::Native { .. } if plain && self.compares_identity(class, method) => {
                site.set_equality_epoch(self.method_epoch(self.names().op_eq));
                Target::NotIdentical
            }
            MethodBody::Native { function, arity, leaf } if simple_args && arity.accepts(site.argc as usize) => {
                site.direct.set(*function as *const ());
                if leaf.allows(site.argc) && plain && site.block == 0 { Target::Leaf } else { Target::Native }
            }
            MethodBody::C { function, enter } if simple_args && function.arity().accepts(site.argc as usize) => {
                site.direct.set(*enter as *const ());
                Target::Native
            }
            MethodBody::AttrReader(_) if plain && site.argc == 0 => Target::AttrReader,
            MethodBody::AttrWriter(_) if plain && site.argc == 1 => Target::AttrWriter,
            MethodBody::Proc(_) | MethodBody::ProcCall => Target::Proc,
            _ => Target::Other,
        };
        if matches!(target, Target::AttrReader | Target::AttrWriter) {
            site.forget_shape();
        }
        site.klass.set(class.value());
        site.method.set(method.value());
        self.cached_in_running_code(&[class.value(), method.value()]);
        site.pos.set(pos);
        site.epoch.set(found.epoch);
        site.target.set(target);
        true
    }

    /// `fill` where refinements are active in the scope: `using` may come later in the same code, and a refinement may
    /// import a method, which then runs in several scopes.
    fn fill_refined(&mut self, site: &Site, class: Class, found: Found, cref: Value) {
        if is_direct(found) && self.fill(site, class, found) {
            site.set_refinements(refined(cref));
            site.target.set(Target::Refined);
        }
    }

    /// What is called for instances of `class` in the place of aliases and of entries that only change a method's
    /// visibility, and where that stands among the ancestors. It stays as long as nothing is defined under the name
    /// that led to `method`.
    fn behind_aliases(&self, class: Class, method: Method, pos: u32) -> (Method, u32) {
        let (found, mut renamed) = ((method, pos), false);
        let (mut method, mut pos) = found;
        loop {
            match method.body() {
                MethodBody::Alias(original) => {
                    (method, pos) =
                        (*original, class.place_of(self, original.owner(), pos).map_or(pos, |place| place as u32));
                    renamed = true;
                }
                // What is further up depends on definitions of another name.
                MethodBody::ZSuper if renamed => return found,
                MethodBody::ZSuper => {
                    let start = class.place_of(self, method.owner(), pos).unwrap_or(pos as usize) + 1;
                    let next = class.find_method_from(self, method.name(), start);
                    let Some(further) = next.method else { return found };
                    (method, pos) = (further, next.pos);
                }
                _ => return (method, pos),
            }
        }
    }

    /// A site of the same call that leads to what instances of `class` have; none when the call is hidden from some of
    /// them, or refinements may decide.
    pub fn resolve_site(&mut self, site: &Site, class: Value) -> Option<Site> {
        if self.may_be_refined(site.name) {
            return None;
        }
        let class = Class::try_of(class)?;
        let found = class.find_method(self, site.name);
        self.resolve_found(site, class, found)
    }

    /// The same for a call in the scope `cref`, the refinements of which decide.
    pub fn resolve_refined(&mut self, site: &Site, class: Value, cref: Value) -> Option<Site> {
        let class = Class::try_of(class)?;
        let found = self.find_refined(cref, class, site.name).unwrap_or_else(|| class.find_method(self, site.name));
        if is_direct(found) { self.resolve_found(site, class, found) } else { None }
    }

    fn resolve_found(&mut self, site: &Site, class: Class, found: Found) -> Option<Site> {
        let is_hidden = site.flags & site_flags::SELF_CALL == 0 && found.method?.visibility() != Visibility::Public;
        if is_hidden || self.vm().traced.get() != 0 {
            return None;
        }
        let resolved = site.empty();
        self.fill(&resolved, class, found);
        (resolved.target.get() != Target::Empty).then_some(resolved)
    }

    /// A site of the call that `super` is at `site`, in a frame of `method` found at `pos`, for instances of `class`;
    /// none when there is no such method or refinements may decide.
    pub fn resolve_super(&mut self, site: &Site, class: Value, method: Value, pos: u32) -> Option<Site> {
        let (class, method) = (Class::try_of(class)?, Method::try_of(method)?);
        if self.may_be_refined(method.name()) || self.vm().traced.get() != 0 {
            return None;
        }
        let found = self.find_super(class, &method, pos);
        found.method?;
        let resolved = site.of_name(self, method.name());
        self.fill(&resolved, class, found);
        (resolved.target.get() != Target::Empty).then_some(resolved)
    }

    /// A site of the call of `initialize` that `new` makes at `site` for `class`, whose instances are plain objects;
    /// none when `new` does more than that.
    pub fn resolve_new(&mut self, site: &Site, class: Value) -> Option<Site> {
        if self.may_be_refined(self.names().initialize) || self.vm().traced.get() != 0 {
            return None;
        }
        let class = Class::try_of(class)?;
        if class.is_module() || class.is_singleton() || !class.is_initialized(self) || !class.makes_plain_objects(self)
        {
            return None;
        }
        let name = self.names().initialize;
        let found = class.find_method(self, name);
        found.method?;
        let resolved = site.of_name(self, name);
        self.fill(&resolved, class, found);
        (resolved.target.get() != Target::Empty).then_some(resolved)
    }

    /// A site of the call that `send` with a literal name makes at `site` for instances of `class`, or `public_send`;
    /// none when the method is not there or refinements may decide. The site has plain arguments, of which the name
    /// is the first.
    pub fn resolve_sent(&mut self, site: &Site, class: Value, name: Sym, public: bool) -> Option<Site> {
        if self.may_be_refined(name) || self.vm().traced.get() != 0 {
            return None;
        }
        let class = Class::try_of(class)?;
        let found = class.find_method(self, name);
        let method = found.method?;
        // The frame is to know the name of an alias, which no site tells.
        if public && method.visibility() != Visibility::Public || matches!(method.body(), MethodBody::Alias(_)) {
            return None;
        }
        let resolved = site.sends(self, name);
        self.fill(&resolved, class, found);
        (resolved.target.get() != Target::Empty).then_some(resolved)
    }

    /// Whether `method` is BasicObject's `!=`, and BasicObject's `==`, which it asks, is that of `class`.
    fn compares_identity(&self, class: Class, method: Method) -> bool {
        let [equal, unequal] = self.vm().identity.get();
        method.value() == unequal
            && class.find_method(self, self.names().op_eq).method.is_some_and(|m| m.value() == equal)
    }

    /// Pushes the frame of a `SimpleCode` site that is called without a block.
    #[inline]
    pub(super) fn enter_simple(&mut self, site: &Site, window: *mut Value, dst: u16, flags: u16) -> Result<Invoked> {
        // SAFETY: a SimpleCode target's `direct` points at the cached method's code.
        let callee = unsafe { &*site.direct.get().cast::<CodeData>() };
        self.check_room(window, callee)?;
        let flags = flags | frame_flags::METHOD;
        let new = self.push_frame(
            window,
            callee,
            0,
            site.method.get(),
            site.pos.get(),
            site.cref.get(),
            Value::NIL,
            dst,
            flags,
        );
        self.enter_scope(new, callee, Value::NIL);
        Ok(Invoked::Frame)
    }

    /// Reads an attribute through the site's shape cache.
    #[inline(always)]
    pub(super) fn attr_get(&mut self, receiver: Value, site: &Site) -> Result {
        if let Some(header) = receiver.header()
            && header.tag() == Tag::Object
            && header.shape() == site.shape()
        {
            return Ok(Object::known(receiver).slot(site.attr_slot() as usize).defined().unwrap_or(Value::NIL));
        }
        self.attr_get_slow(receiver, site)
    }

    /// Writes an attribute through the site's shape cache.
    #[inline(always)]
    pub(super) fn attr_set(&mut self, receiver: Value, site: &Site, value: Value) -> Result<()> {
        if let Some(header) = receiver.header()
            && header.tag() == Tag::Object
            && header.shape() == site.shape()
            && !header.frozen()
        {
            Object::known(receiver).set_slot(self, site.attr_slot() as usize, value);
            header.set_shape(site.next_shape());
            return Ok(());
        }
        self.attr_set_slow(receiver, site, value)
    }

    #[cold]
    pub(crate) fn attr_get_slow(&mut self, receiver: Value, site: &Site) -> Result {
        let MethodBody::AttrReader(name) = *site.method().body() else { return Ok(Value::NIL) };
        if let Some(header) = receiver.header() {
            // SAFETY: the lock is held; the borrow ends with the statement.
            let slot = unsafe { self.vm().shapes.get_mut() }.slot(header.shape(), name);
            // Behind the last slot nothing is set.
            site.set_attr(header.shape(), slot.map_or(u32::MAX, |slot| slot as u32), header.shape());
        }
        Ok(self.ivar_read(receiver, name)?.defined().unwrap_or(Value::NIL))
    }

    #[cold]
    pub(crate) fn attr_set_slow(&mut self, receiver: Value, site: &Site, value: Value) -> Result<()> {
        let MethodBody::AttrWriter(name) = *site.method().body() else { return Ok(()) };
        if let Some(place) = self.ivar_set_placed(receiver, name, value)? {
            site.set_attr(place.before, place.slot, place.after);
        }
        Ok(())
    }

    /// Whether a refinement that was activated somewhere may have a method of the name. Call sites that rely on `false`
    /// look at the name's epoch, which changes when a refinement gets one.
    pub fn may_be_refined(&self, name: Sym) -> bool {
        // SAFETY: the lock is held; the borrow ends with the statement.
        self.vm().refinements_used.get() && unsafe { self.vm().refined_names.get() }.contains(&name)
    }

    /// Call sites of methods that refinements have look them up anew: some classes got ancestors that are refined.
    pub(crate) fn touch_refined_names(&self) {
        // SAFETY: the lock is held; the borrow ends with the statement.
        let names: Vec<Sym> = unsafe { self.vm().refined_names.get() }.iter().copied().collect();
        names.into_iter().for_each(|name| self.bump_method_epoch(name));
    }

    /// The method that a refinement active in the calling Ruby code puts before `class`'s own.
    pub fn find_refined_by_caller(&mut self, class: Class, name: Sym) -> Option<Found> {
        if !self.may_be_refined(name) {
            return None;
        }
        let cref = self.ruby_frame().map_or(Value::NIL, |f| f.cref);
        self.find_refined(cref, class, name)
    }

    /// The method that a refinement active in `cref` puts before `class`'s own.
    pub(crate) fn find_refined(&mut self, cref: Value, class: Class, name: Sym) -> Option<Found> {
        self.find_refined_from(cref, class, name, 0, Value::NIL)
    }

    /// `find_refined` from the place `start` of the ancestors on, without the refinements of the class `except`.
    fn find_refined_from(
        &mut self,
        cref: Value,
        class: Class,
        name: Sym,
        start: usize,
        except: Value,
    ) -> Option<Found> {
        let refinements = Cref::try_of(cref)?.refinements();
        if refinements.is_nil() || !self.may_be_refined(name) {
            return None;
        }
        let list = crate::object::Array::known(refinements);
        let mut nearest: Option<(usize, Method)> = None;
        // The latest `using` wins. Few refinements have a method of the name: that is asked first.
        for i in (0..list.len() / 2).rev() {
            let (refined, refinement) = (list.get(i * 2)?, list.get(i * 2 + 1)?);
            let Some(method) =
                Class::known(refinement).mro(self).iter().find_map(|module| module.own_method(self, name))
            else {
                continue;
            };
            match self.refined_place(class, refined).filter(|place| refined != except && *place >= start) {
                Some(place) if nearest.is_none_or(|(nearer, _)| place < nearer) => nearest = Some((place, method)),
                _ => {}
            }
        }
        let (pos, method) = nearest?;
        // What an ancestor before that place has comes first.
        if class.mro(self)[start..pos].iter().any(|module| module.own_method(self, name).is_some()) {
            return None;
        }
        Some(Found { method: Some(method), pos: pos as u32, epoch: self.method_epoch(name) })
    }

    /// Where among the ancestors of `class` refinements of `refined` come in: before the modules prepended to it.
    fn refined_place(&self, class: Class, refined: Value) -> Option<usize> {
        let refined = Class::known(refined);
        let place = class.mro(self).iter().position(|module| *module == refined)?;
        let prepended = refined.data(self).chain.iter().position(|module| *module == refined).unwrap_or(0);
        Some(place - prepended.min(place))
    }

    /// `super`
    pub(crate) fn call_super_site(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        dst: u16,
    ) -> Result<Invoked> {
        // SAFETY: the frame is the running one; the window begins with self.
        let (method, pos, receiver, flags) =
            unsafe { ((*frame).method(), (*frame).pos, (*frame).self_value(), (*frame).flags) };
        let Some(method) = method else {
            return Err(self.raise_error("NoMethodError", "super called outside of method"));
        };
        if site.flags & site_flags::ZSUPER != 0 && self.in_bmethod(frame, flags) {
            return Err(self.raise_error(
                "RuntimeError",
                "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
            ));
        }
        // SAFETY: as above.
        unsafe { *window = receiver };
        let block = if site.block == 0 && site.flags & site_flags::BLOCK_ARG == 0 {
            self.home_block(frame)
        } else {
            self.site_block(frame, site, window)?
        };
        let class = self.dispatch_class(receiver);
        let name = method.name();
        let epoch = self.method_epoch(name);
        let info = ArgInfo::new(site.argc as usize, site.flags, site.keywords(self));
        self.leave_room(frame, window, site);
        // SAFETY: as above.
        let cref = unsafe { (*frame).cref };
        let refined = if self.may_be_refined(name) && has_refinements(cref) {
            self.find_refined_super(cref, class, &method, pos)
        } else {
            None
        };
        let found = if let Some(found) = refined {
            self.check_super(frame, class, &method, receiver)?;
            found
        } else if site.klass.get() == class.value()
            && site.epoch.get() == epoch
            && site.super_caller() == (method.value(), pos)
        {
            Found { method: Some(site.method()), pos: site.pos.get(), epoch }
        } else {
            self.check_super(frame, class, &method, receiver)?;
            let found = self.find_super(class, &method, pos);
            if let Some(next) = found.method {
                site.klass.set(class.value());
                site.epoch.set(epoch);
                site.set_super_caller(method.value(), pos);
                site.method.set(next.value());
                self.cached_in_running_code(&[class.value(), next.value()]);
                site.pos.set(found.pos);
            }
            found
        };
        match found.method {
            Some(next) => self.prepare_call(window, next, found.pos, &info, block, dst, 0),
            None => self.super_missing(window, receiver, name, &info, block, dst),
        }
    }

    /// Where a block's self was changed (`instance_eval`), it may be no instance of the method's class.
    fn check_super(&mut self, frame: *mut Frame, class: Class, method: &Method, receiver: Value) -> Result<()> {
        let owner = method.owner();
        // SAFETY: the frame is the running one, its home is live.
        let (in_block, home) = unsafe { ((*frame).has(frame_flags::BLOCK), &*self.home_frame(frame)) };
        if !in_block || class.mro(self).contains(&owner) || !owner.data(self).refined_class().is_nil() {
            return Ok(());
        }
        let mut expected = owner;
        if owner.is_module() {
            // The class that includes the module; an unbound method of a module may be bound to anything.
            if home.has(frame_flags::BLOCK) {
                return Ok(());
            }
            let ancestors = self.dispatch_class(home.self_value()).mro(self);
            let Some(at) = ancestors.iter().position(|module| *module == owner) else { return Ok(()) };
            expected = ancestors[..at].iter().rev().copied().find(|module| !module.is_module()).unwrap_or(expected);
        }
        let actual = self.real_class(receiver).value();
        let (actual, expected) = (self.to_s(actual)?, self.to_s(expected.value())?);
        let (actual, expected) = (actual.to_lossy(self).into_owned(), expected.to_lossy(self).into_owned());
        Err(self
            .type_error(&format!("self has wrong type to call super in this context: {actual} (expected {expected})")))
    }

    pub(crate) fn find_super(&mut self, class: Class, method: &Method, pos: u32) -> Found {
        let (start, _) = self.super_start(class, method, pos);
        class.find_method_from(self, method.name(), start)
    }

    /// Where `super` goes on among the ancestors, and the class whose refinements it passes over.
    fn super_start(&self, class: Class, method: &Method, pos: u32) -> (usize, Value) {
        // A refined method's super is the refined class's own method.
        let owner = method.owner();
        let refined = owner.data(self).refined_class();
        if !refined.is_nil() {
            return (self.refined_place(class, refined).unwrap_or(0), refined);
        }
        (class.place_of(self, owner, pos).map_or(0, |place| place + !method.stands_in() as usize), Value::NIL)
    }

    /// `find_super` where refinements are active.
    fn find_refined_super(&mut self, cref: Value, class: Class, method: &Method, pos: u32) -> Option<Found> {
        let (start, except) = self.super_start(class, method, pos);
        self.find_refined_from(cref, class, method.name(), start, except)
    }

    #[cold]
    fn super_missing(
        &mut self,
        window: *mut Value,
        receiver: Value,
        name: Sym,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
    ) -> Result<Invoked> {
        let class = self.dispatch_class(receiver);
        let missing = self.names().method_missing;
        match class.find_method(self, missing).method {
            Some(m) if !matches!(m.body(), MethodBody::Native { .. }) => {
                self.prepare_missing_named(window, name, info, block, dst, 0)
            }
            _ => {
                let (target, text) = (self.describe(receiver), self.sym_str(name));
                Err(self.name_error(
                    "NoMethodError",
                    &format!("super: no superclass method '{text}' for {target}"),
                    receiver,
                    name,
                ))
            }
        }
    }

    /// Whether the frame runs inside the body of define_method.
    fn in_bmethod(&self, frame: *mut Frame, flags: u16) -> bool {
        let mut at = frame;
        let mut flags = flags;
        loop {
            if flags & frame_flags::BMETHOD != 0 {
                return true;
            }
            // SAFETY: `home` is only followed while it is live.
            unsafe {
                if flags & frame_flags::BLOCK == 0 || !self.frame_alive((*at).home, (*at).home_id) {
                    return false;
                }
                at = (*at).home;
                flags = (*at).flags;
            }
        }
    }

    /// The block of the method that the frame belongs to.
    #[inline]
    fn home_block(&self, frame: *mut Frame) -> BlockHandler {
        // SAFETY: the frame is the running one. Blocks carry their method's block.
        unsafe { (*frame).block }
    }

    /// `yield`
    #[inline]
    pub(crate) fn yield_site(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        dst: u16,
    ) -> Result<Invoked> {
        let handler = self.home_block(frame);
        let info = ArgInfo::new(site.argc as usize, site.flags, site.keywords(self));
        if let Some(home) = as_frame_block(handler) {
            let (code, captured) = self.captured_by_frame(home);
            self.push_block_frame(window, code, &captured, &info, &Override::NONE, false, dst, 0)?;
            return Ok(Invoked::Frame);
        }
        self.leave_room(frame, window, site);
        self.prepare_block(handler, window, &info, &Override::NONE, dst, 0)
    }

    /// The block of the method as a value: a Proc, or a handler that is only passed on.
    pub(crate) fn method_block(&mut self, frame: *mut Frame, raw: bool) -> Value {
        // SAFETY: the frame is the running one.
        let handler = unsafe { (*frame).block };
        if raw {
            return handler;
        }
        let value = self.block_to_value(handler);
        // SAFETY: as above. Later uses see the same object.
        unsafe { (*frame).block = value };
        value
    }
}

/// Whether a method was found that is called as it is: what an alias or a change of visibility leads to is looked up
/// once more.
fn is_direct(found: Found) -> bool {
    found.method.is_some_and(|method| !matches!(method.body(), MethodBody::Alias(_) | MethodBody::ZSuper))
}

/// The number of the scope's refinements.
fn refined(cref: Value) -> u32 {
    Cref::try_of(cref).map_or(0, Cref::refined)
}

fn has_refinements(cref: Value) -> bool {
    Cref::try_of(cref).is_some_and(|c| !c.refinements().is_nil())
}

impl Class {
    /// The class itself, or the attached class's real one for singletons: what `protected` compares with.
    fn real_or_module(self, ctx: &Ctx) -> Value {
        if self.is_module() || self.is_singleton() { self.value() } else { self.real(ctx).value() }
    }
}
