//! What safe code cannot do with the values of a VM, each beside what it can do: the second of a pair differs from the
//! first by what the compiler refuses.
//!
//! A word is no value unless somebody vouches for it:
//! ```
//! use rubellite_vm::Value;
//! assert_eq!(Value::immediate(17), Some(Value::fixnum(8)));
//! assert_eq!(Value::immediate(8), None);
//! ```
//! ```compile_fail,E0133
//! use rubellite_vm::Value;
//! let forged = Value::from_bits(8);
//! ```
//! ```compile_fail,E0133
//! use rubellite_vm::Value;
//! let forged = Value::from_ptr(&1_u64);
//! ```
//!
//! A handle is made by looking at the value:
//! ```
//! use rubellite_vm::{Value, object::Array};
//! assert!(Array::try_of(Value::fixnum(2048)).is_none());
//! ```
//! ```compile_fail,E0599
//! use rubellite_vm::{Value, object::Array};
//! assert!(Array::of(Value::fixnum(2048)).is_empty());
//! ```
//! ```compile_fail,E0624
//! use rubellite_vm::{Value, object::Array};
//! unsafe { Array::of_unchecked(Value::fixnum(2048)) };
//! ```
//!
//! What an object lends ends where the program may run:
//! ```
//! use rubellite_vm::{Ctx, Value, object::Array};
//! fn sum(ctx: &mut Ctx, list: Array) -> usize {
//!     let first = list.slice(ctx).first().copied();
//!     ctx.check_interrupts().ok();
//!     first.map_or(0, |_| 1)
//! }
//! ```
//! ```compile_fail,E0502
//! use rubellite_vm::{Ctx, Value, object::Array};
//! fn sum(ctx: &mut Ctx, list: Array) -> usize {
//!     let items = list.slice(ctx);
//!     ctx.check_interrupts().ok();
//!     items.len()
//! }
//! ```
//!
//! Neither the VM nor what hangs on it is kept longer than the context:
//! ```
//! use rubellite_vm::{Ctx, names::Names};
//! fn names(ctx: &Ctx) -> &Names {
//!     ctx.names()
//! }
//! ```
//! ```compile_fail
//! use rubellite_vm::{Ctx, names::Names};
//! fn names(ctx: &Ctx) -> &'static Names {
//!     ctx.names()
//! }
//! ```
//!
//! The table of threads is for reading:
//! ```
//! use rubellite_vm::Ctx;
//! fn count(ctx: &Ctx) -> usize {
//!     ctx.threads().count()
//! }
//! ```
//! ```compile_fail,E0594
//! use rubellite_vm::Ctx;
//! fn forget(ctx: &Ctx) {
//!     ctx.threads().main = None;
//! }
//! ```
//!
//! No value leaves the lock:
//! ```
//! use rubellite_vm::vmlock::Kind;
//! use rubellite_vm::{Ctx, Ends, Leave, Result, Value};
//! fn look(ctx: &mut Ctx, value: Value) -> Result<bool> {
//!     let nil = value.is_nil();
//!     ctx.outside(Leave::new(Kind::Long, Ends::Never), move |_| Some(nil))
//! }
//! ```
//! ```compile_fail,E0277
//! use rubellite_vm::vmlock::Kind;
//! use rubellite_vm::{Ctx, Ends, Leave, Result, Value};
//! fn look(ctx: &mut Ctx, value: Value) -> Result<bool> {
//!     ctx.outside(Leave::new(Kind::Long, Ends::Never), move |_| Some(value.is_nil()))
//! }
//! ```
//!
//! A scope does not outlive the entry into the VM:
//! ```no_run
//! use rubellite::{Error, Vm};
//! fn add(vm: &Vm) -> Result<i64, Error> {
//!     vm.enter(|scope| scope.eval("1 + 1"))
//! }
//! ```
//! ```compile_fail
//! use rubellite::{Error, Scope, Vm};
//! fn add(vm: &Vm) -> Result<i64, Error> {
//!     let mut kept: Option<&mut Scope> = None;
//!     vm.enter(|scope| {
//!         kept = Some(scope);
//!         Ok(())
//!     })?;
//!     kept.unwrap().eval("1 + 1")
//! }
//! ```
