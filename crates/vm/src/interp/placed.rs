//! Calls whose arguments find their registers by a plan that the site keeps, and calls of Procs.
//!
//! Optional parameters, literal keywords and a block parameter need no look at the parameter list once a site knows
//! which keyword goes where: the plan has one nibble for each keyword parameter. What a plan cannot say (rest, keyword
//! rest, splats, more than eight keywords, arguments that do not fit) takes the general way, which also raises.

use crate::Result;
use crate::call::{ArgInfo, Invoked, Override};
use crate::code::{CodeData, Site, Target, site_flags};
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::method::MethodBody;
use crate::object::Proc;
use crate::object::proc::ProcBody;
use rubellite_value::Value;

/// Keyword parameters that a plan has room for.
const KEYWORDS_MAX: usize = 8;
/// The nibble of a keyword that is not given.
const ABSENT: u32 = 15;

/// Where execution begins and the plan of the keywords, when one exists for calls of `code` at `site`.
fn plan(ctx: &Ctx, code: &CodeData, site: &Site) -> Option<(u32, u32)> {
    let params = &code.iseq.params;
    let kinds = site.flags & site_flags::COMPLEX;
    if !code.in_place || params.rest || params.anonymous_keyword_rest || kinds & !site_flags::KEYWORDS != 0 {
        return None;
    }
    let keywords = site.keywords(ctx);
    let positional = (site.argc as usize).checked_sub(keywords.len())?;
    let given = positional.checked_sub(params.required as usize)?;
    if given > params.optional as usize
        || params.keywords.len() > KEYWORDS_MAX
        || keywords.len() > params.keywords.len()
    {
        return None;
    }
    let (mut plan, mut taken) = (0, 0);
    for (i, keyword) in params.keywords.iter().enumerate() {
        let name = code.names[keyword.name as usize];
        let from = match keywords.iter().position(|given| *given == name) {
            Some(from) => from as u32,
            None if keyword.required => return None,
            None => ABSENT,
        };
        taken += (from != ABSENT) as usize;
        plan |= from << (4 * i);
    }
    let start = if params.optional > 0 { params.opt_table[given] } else { 0 };
    (taken == keywords.len()).then_some((start, plan))
}

impl Ctx {
    /// What a site leads to that calls Ruby code.
    pub(super) fn code_target(&self, site: &Site, code: &CodeData) -> Target {
        if code.simple && site.flags & site_flags::COMPLEX == 0 && code.required == site.argc {
            return Target::SimpleCode;
        }
        let Some((start, plan)) = plan(self, code, site) else { return Target::Other };
        site.set_plan(start, plan);
        Target::Placed
    }

    /// Pushes the frame of a `Placed` site. No collection sees the callee's registers before that: the block's Proc is
    /// made first, and the rest does not allocate.
    #[inline]
    pub(super) fn call_placed(&mut self, frame: *mut Frame, site: &Site, window: *mut Value, dst: u16) -> Result<()> {
        let block = if site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0 {
            Value::NIL
        } else {
            self.site_block(frame, site, window)?
        };
        // SAFETY: a Placed target's `direct` points at the cached method's code.
        let callee = unsafe { &*site.direct.get().cast::<CodeData>() };
        self.check_room(window, callee)?;
        let params = &callee.iseq.params;
        let (start, plan) = site.plan();
        let given = site.argc as usize - site.keywords(self).len();
        let positional = callee.required as usize + params.optional as usize;
        let proc = if params.block {
            self.leave_room(frame, window, site);
            self.block_to_value(block)
        } else {
            Value::NIL
        };
        // SAFETY: the arguments lie in the window, and the callee's registers were checked to fit.
        unsafe {
            let args = window.add(1);
            let mut values = [Value::UNDEF; KEYWORDS_MAX]; // tidy: in the window until they are in their registers
            for (i, value) in values[..params.keywords.len()].iter_mut().enumerate() {
                let from = plan >> (4 * i) & 15;
                if from != ABSENT {
                    *value = *args.add(given + from as usize);
                }
            }
            for i in given..positional {
                *args.add(i) = Value::NIL;
            }
            for (i, value) in values[..params.keywords.len()].iter().enumerate() {
                *args.add(positional + i) = *value;
            }
            if params.block {
                *args.add(positional + params.keywords.len()) = proc;
            }
        }
        let new = self.push_frame(
            window,
            callee,
            start as usize,
            site.method.get(),
            site.pos.get(),
            site.cref.get(),
            block,
            dst,
            frame_flags::METHOD,
        );
        self.enter_scope(new, callee, Value::NIL);
        Ok(())
    }

    /// `Proc#call` and methods made of Procs: the frame of a block of Ruby code. None: the general way decides.
    #[inline]
    pub(super) fn call_proc(
        &mut self,
        frame: *mut Frame,
        site: &Site,
        window: *mut Value,
        dst: u16,
    ) -> Result<Option<Invoked>> {
        // SAFETY: the window begins with the receiver.
        let receiver = unsafe { *window };
        let method = site.method();
        let (proc, made) = match method.body() {
            MethodBody::Proc(proc) => (*proc, true),
            MethodBody::ProcCall => (Proc::known(receiver), false),
            _ => return Ok(None),
        };
        let ProcBody::Code(code) = proc.body() else { return Ok(None) };
        if made && !self.may_call_body(proc) {
            return Ok(None);
        }
        let block = if site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0 {
            Value::NIL
        } else {
            self.site_block(frame, site, window)?
        };
        let info = ArgInfo::new(site.argc as usize, site.flags, site.keywords(self));
        let captured = proc.captured();
        if made {
            let how = Override {
                self_value: Some(receiver),
                cref: None,
                method: Some((method, site.pos.get())),
                lambda: true,
                block,
            };
            self.push_block_frame(window, code.data_ptr(), &captured, &info, &how, true, dst, 0)?;
        } else {
            let how = Override { block, ..Override::NONE };
            self.push_block_frame(window, code.data_ptr(), &captured, &info, &how, proc.is_lambda(), dst, 0)?;
        }
        Ok(Some(Invoked::Frame))
    }
}
