//! An extension: the class `Primes`, whose slow method runs outside the lock. `Primes.new(limit).count(progress = nil)`
//! counts the primes below the limit and calls `progress.call(percent)` now and then.

use rubellite::rubellite_vm::object::{Data, NativeData};
use rubellite::rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};
use rubellite::{Scope, Unblock};

/// For `Builder::library("primes", primes::load)`.
pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&PRIMES).map(drop)
}

static PRIMES: ClassDef = ClassDef {
    name: "Primes",
    singleton_methods: &[method("new", Arity::ONE, new)],
    methods: &[method("count", Arity::range(0, 1), count)],
    ..ClassDef::EMPTY
};

struct Primes(u64);

impl NativeData for Primes {}

fn new(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let limit = ctx.to_int(args.at(0))?;
    Ok(Data::new(ctx, class, Primes(limit.max(0) as u64)).value())
}

fn count(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let limit = Data::state_of::<Primes>(ctx, recv).map_or(0, |primes| primes.0);
    let mut scope = Scope::of(ctx);
    let progress = args.get(0).filter(|value| !value.is_nil()).map(|value| scope.any(value));
    let (mut n, mut found) = (2, 0);
    let outcome = scope.blocking(Unblock::Flag, |region| {
        while n < limit {
            if n % 16_384 == 0 && region.interrupted() {
                return None;
            }
            if let (0, Some(progress)) = (n % 16_384, &progress) {
                region.with_lock(|scope| scope.call::<()>(progress, "call", (n * 100 / limit,)))?;
            }
            found += u64::from((2..).take_while(|d| d * d <= n).all(|d| n % d != 0));
            n += 1;
        }
        Some(found)
    });
    scope.finish(outcome)
}
