//! `Scope`: a thread's stay inside the VM, in which it evaluates, calls and defines.

use crate::value::{FromRuby, IntoArgs, IntoRuby, Kept};
use crate::vm::Inside;
use crate::{Any, Error, Exception};
use rubellite_vm::object::proc::Proc;
use rubellite_vm::object::{Array, Binding, Data, NativeData, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Args, Ctx, Encoding, Ends, Leave, Pending, Unwind, Value};
use std::sync::Arc;
use std::time::Instant;

/// Access to the VM for a thread that holds its lock. Code in a scope keeps other threads of the VM from running, as
/// long as it runs no Ruby code: what takes long belongs into `outside`.
pub struct Scope<'a> {
    pub(crate) ctx: &'a mut Ctx,
}

/// A Rust function as Ruby calls it.
type HostFunction = dyn Fn(&mut Scope, &[Any]) -> Result<Any, Error> + Send + Sync;

/// The function behind a defined method.
struct Host(Arc<HostFunction>);

impl NativeData for Host {}

impl Scope<'_> {
    /// Evaluates source at toplevel, with the variables of earlier evaluations, and converts its value.
    ///
    /// # Errors
    /// What the code raises, `SyntaxError` included; `Conversion`.
    pub fn eval<T: FromRuby>(&mut self, source: &str) -> Result<T, Error> {
        self.eval_in(source, "(eval)")
    }

    /// `eval` with the path that backtraces show.
    ///
    /// # Errors
    /// As `eval`.
    pub fn eval_in<T: FromRuby>(&mut self, source: &str, path: &str) -> Result<T, Error> {
        let toplevel = self.ctx.vm().toplevel_binding.get();
        let toplevel = self.ctx.expect::<Binding>(toplevel);
        let outcome = toplevel
            .and_then(|toplevel| self.ctx.eval_in_binding(toplevel, source.as_bytes(), path, 1, Encoding::UTF_8));
        let value = self.keep(outcome)?;
        T::from_ruby(&value, self)
    }

    /// Runs a file as `require` does: once, found on the load path.
    ///
    /// # Errors
    /// What it raises; LoadError.
    pub fn require(&mut self, feature: &str) -> Result<bool, Error> {
        let main = self.main();
        self.call(&main, "require", (feature,))
    }

    /// Calls a method, private ones included, and converts its value.
    ///
    /// # Errors
    /// What it raises; `Conversion`.
    pub fn call<T: FromRuby>(&mut self, receiver: &Any, method: &'static str, args: impl IntoArgs) -> Result<T, Error> {
        let receiver = Kept::get(self.ctx, receiver)?;
        let args = args.into_args(self)?;
        // Rooted by the handles in `args`.
        let values = args.iter().map(|arg| Kept::get(self.ctx, arg)).collect::<Result<Vec<Value>, Error>>()?;
        let outcome = self.ctx.call_name(receiver, method, &values);
        let value = self.keep(outcome)?;
        T::from_ruby(&value, self)
    }

    /// A constant, `"Foo::Bar"`.
    ///
    /// # Errors
    /// NameError.
    pub fn constant(&mut self, path: &str) -> Result<Any, Error> {
        let mut at = self.ctx.classes().object.get();
        for name in path.split("::") {
            let object = Kept::keep(self.ctx, at);
            let found: Any = self.call(&object, "const_get", (name,))?;
            at = Kept::get(self.ctx, &found)?;
        }
        Ok(Kept::keep(self.ctx, at))
    }

    /// Sets a global variable, `"$name"`.
    ///
    /// # Errors
    /// What its setter raises.
    pub fn set_global(&mut self, name: &'static str, value: impl IntoRuby) -> Result<(), Error> {
        let value = value.into_ruby(self)?;
        let name = self.ctx.intern(name);
        let value = Kept::get(self.ctx, &value)?;
        let outcome = self.ctx.set_global(name, value).map(|()| Value::NIL);
        self.keep(outcome).map(drop)
    }

    /// The toplevel object.
    pub fn main(&mut self) -> Any {
        Kept::keep(self.ctx, self.ctx.vm().main_object.get())
    }

    /// A Rust value as a Ruby object.
    ///
    /// # Errors
    /// As `IntoRuby::into_ruby`.
    pub fn value(&mut self, value: impl IntoRuby) -> Result<Any, Error> {
        value.into_ruby(self)
    }

    /// Defines a singleton method of a class or module (made as a module when there is none of that name), written in
    /// Rust: `define("Host", "greet", |scope, args| ...)` is called as `Host.greet(...)`. The function gets the
    /// arguments as they are, and may be called by several threads, one at a time. An error that it returns is raised.
    ///
    /// # Errors
    /// What Ruby raises when the name is no constant's, or taken by something that is no module.
    pub fn define<F, R>(&mut self, module: &str, method: &str, function: F) -> Result<(), Error>
    where
        F: Fn(&mut Scope, &[Any]) -> Result<R, Error> + Send + Sync + 'static,
        R: IntoRuby,
    {
        let call = move |scope: &mut Scope, args: &[Any]| function(scope, args)?.into_ruby(scope);
        let body = self.function(Arc::new(call));
        let finder = "->(path) { path.split('::').inject(Object) { |at, name| at.const_defined?(name, false) ? at.const_get(name, false) : at.const_set(name, Module.new) } }";
        let finder: Any = self.run_internal(finder, "host")?;
        let module: Any = self.call(&finder, "call", (module,))?;
        self.call(&module, "define_singleton_method", (method, body))
    }

    /// A Rust function as a lambda.
    pub fn lambda<F, R>(&mut self, function: F) -> Any
    where
        F: Fn(&mut Scope, &[Any]) -> Result<R, Error> + Send + Sync + 'static,
        R: IntoRuby,
    {
        self.function(Arc::new(move |scope, args| function(scope, args)?.into_ruby(scope)))
    }

    fn function(&mut self, function: Arc<HostFunction>) -> Any {
        let object = self.ctx.classes().object.get();
        let host = Data::new(self.ctx, object, Host(function)).value();
        let body = Proc::native(self.ctx, run_host, host, -1, true);
        Kept::keep(self.ctx, body)
    }

    /// The value of a part of this crate that is written in Ruby.
    pub(crate) fn run_internal(&mut self, source: &str, name: &str) -> Result<Any, Error> {
        let outcome = self.ctx.run_internal(source, name);
        self.keep(outcome)
    }

    /// Runs `work` outside the lock, beside the other threads of the VM. An interrupt (`Thread#kill`, a time limit)
    /// takes effect behind it.
    ///
    /// # Errors
    /// What such an interrupt raised.
    pub fn outside<R: Send>(&mut self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        self.ctx.outside(Leave::new(Kind::Long, Ends::Never).running(), once(work)).map_err(|Unwind| self.take_error())
    }

    /// The stay of the thread whose context this is: for native methods of an extension, which get the context.
    pub fn of(ctx: &mut Ctx) -> Scope<'_> {
        Scope { ctx }
    }

    /// A value that native code got, as a handle: to be kept, or called from a region.
    pub fn any(&mut self, value: Value) -> Any {
        Kept::keep(self.ctx, value)
    }

    /// The exit that native code reports as `Err(Unwind)`, as an error for this crate's callers.
    pub fn error_of(&mut self, _: Unwind) -> Error {
        self.take_error()
    }

    /// What a native method of an extension returns: the value, or the error raised.
    ///
    /// # Errors
    /// The exit is pending then.
    pub fn finish(&mut self, outcome: Result<impl IntoRuby, Error>) -> rubellite_vm::Result {
        let value = outcome.and_then(|value| value.into_ruby(self)).and_then(|value| Kept::get(self.ctx, &value));
        value.map_err(|error| self.raise(error))
    }

    /// The context, for code that uses the VM's crates directly.
    pub fn ctx(&mut self) -> &mut Ctx {
        self.ctx
    }

    fn keep(&mut self, outcome: rubellite_vm::Result) -> Result<Any, Error> {
        match outcome {
            Ok(value) => Ok(Kept::keep(self.ctx, value)),
            Err(Unwind) => Err(self.take_error()),
        }
    }

    /// The exit under way as an error.
    pub(crate) fn take_error(&mut self) -> Error {
        match self.ctx.take_pending() {
            Pending::Raise(exception) => self.describe(exception),
            Pending::Kill if self.ctx.thread().is_expired() => Error::TimedOut,
            Pending::Throw { tag, .. } => {
                let text = self.ctx.inspect(tag).unwrap_or_default();
                let _ = self.ctx.raise_error("UncaughtThrowError", &format!("uncaught throw {text}"));
                self.take_error()
            }
            Pending::Break { .. } | Pending::Loop { .. } | Pending::Return { .. } => {
                let _ = self.ctx.raise_error("LocalJumpError", "unexpected return");
                self.take_error()
            }
            _ => Error::Killed,
        }
    }

    fn describe(&mut self, exception: Value) -> Error {
        let object = Kept::keep(self.ctx, exception);
        let exit = self.ctx.error_class("SystemExit").value();
        if self.ctx.is_a(exception, exit) {
            let status = self.call(&object, "status", ()).unwrap_or(1);
            return Error::Exit(status);
        }
        let class = self.ctx.real_class(exception).inspect(self.ctx);
        let message = match self.ctx.call_name(exception, "message", &[]) {
            Ok(text) => Str::try_of(text).map(|text| text.to_lossy(self.ctx).into_owned()).unwrap_or_default(),
            Err(Unwind) => {
                self.ctx.clear_pending();
                String::new()
            }
        };
        let list = rubellite_core_object::exception::backtrace_of(self.ctx, exception);
        let mut backtrace = Vec::new();
        if let Some(list) = Array::try_of(list) {
            for i in 0..list.len() {
                let line = list.get(i).and_then(Str::try_of);
                backtrace.extend(line.map(|line| line.to_lossy(self.ctx).into_owned()));
            }
        }
        Error::Exception(Exception { class, message, backtrace, object })
    }

    /// Raises an error of Rust code in Ruby.
    fn raise(&mut self, error: Error) -> Unwind {
        match error {
            Error::Exception(exception) => match Kept::get(self.ctx, &exception.object) {
                Ok(object) => self.ctx.raise(object),
                Err(_) => self.ctx.raise_error("RuntimeError", &exception.message),
            },
            Error::Exit(status) => rubellite_core_object::raise_exit(self.ctx, status, Value::NIL),
            Error::TimedOut | Error::Killed => self.ctx.set_pending(Pending::Kill),
            Error::Conversion { .. } => self.ctx.type_error(&error.to_string()),
            error => self.ctx.raise_error("RuntimeError", &error.to_string()),
        }
    }

    /// An error for a Rust function to return: Ruby sees an exception of that class.
    ///
    /// ```
    /// # let vm = rubellite::Vm::new()?;
    /// vm.enter(|scope| scope.define("Host", "half", |scope, args| {
    ///     let n: i64 = scope.get(args, 0)?;
    ///     if n % 2 == 0 { Ok(n / 2) } else { Err(scope.error("ArgumentError", "odd number")) }
    /// }))?;
    /// let text: String = vm.eval("begin; Host.half(3); rescue ArgumentError => e; e.message; end")?;
    /// assert_eq!(text, "odd number");
    /// # Ok::<(), rubellite::Error>(())
    /// ```
    pub fn error(&mut self, class: &'static str, message: &str) -> Error {
        let _ = self.ctx.raise_error(class, message);
        self.take_error()
    }

    /// An argument of a Rust function, converted; nil when it was not given.
    ///
    /// # Errors
    /// `Conversion`, which Ruby sees as a TypeError.
    pub fn get<T: FromRuby>(&mut self, args: &[Any], index: usize) -> Result<T, Error> {
        let value = match args.get(index) {
            Some(value) => value.clone(),
            None => Kept::keep(self.ctx, Value::NIL),
        };
        T::from_ruby(&value, self)
    }

    /// The class of a value, by name.
    ///
    /// # Errors
    /// `OtherVm`.
    pub fn class_of(&mut self, value: &Any) -> Result<String, Error> {
        let value = Kept::get(self.ctx, value)?;
        Ok(self.ctx.real_class(value).inspect(self.ctx))
    }

    /// Ends what the thread does when `deadline` passes, as long as `work` runs.
    pub(crate) fn within<R>(&mut self, deadline: Option<Instant>, work: impl FnOnce(&mut Scope) -> R) -> R {
        let Some(deadline) = deadline else { return work(self) };
        let guard = crate::limit::Watch::start(self.ctx.thread().clone(), deadline);
        let result = work(self);
        guard.end();
        result
    }
}

/// What Ruby calls: the body of a defined method.
fn run_host(ctx: &mut Ctx, host: Value, args: Args) -> rubellite_vm::Result {
    let Some(function) = Data::state_of::<Host>(ctx, host).map(|host| Arc::clone(&host.0)) else {
        return Ok(Value::NIL);
    };
    let given: Vec<Any> = (0..args.len()).map(|i| Kept::keep(ctx, args.at(i))).collect();
    let _inside = Inside::enter(&ctx.extension::<Kept>().inside);
    let mut scope = Scope { ctx };
    let outcome = function(&mut scope, &given);
    scope.finish(outcome)
}
