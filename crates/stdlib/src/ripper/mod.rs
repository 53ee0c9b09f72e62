//! `ripper.so`: the native half of Ripper, on the parser that compiles programs. CRuby's own Ruby files of Ripper stand
//! on it.
//!
//! `ripper.rb` is the class and `tokens.rs` makes Ripper's tokens of Prism's. `reports.rb` calls the handlers of tokens
//! and errors, which is all for a Ripper that has no others, as `Ripper.lex` has none. For one that has, `events.rb`
//! lets the `prism` gem's translation walk the tree and say which parser events there are, and `order.rb` tells them in
//! the order in which CRuby's parser does.

mod tokens;

use self::tokens::{Piece, Tokens};
use rubellite_core_load::register_extension;
use rubellite_core_thread::{apart, outside};
use rubellite_prism::{Options, scan};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Class, Ctx, Encoding, Result, Sym, Value, primitive};

/// The scanner does not stop by itself: long sources have a thread of their own, with so many bytes of stack.
const STACK: usize = 8 << 20;

pub fn register(ctx: &mut Ctx) {
    register_extension(ctx, "ripper", |ctx| {
        ctx.define_primitives(&[
            primitive("ripper_define", Arity::ONE, define),
            primitive("ripper_wants", Arity::exact(4), wants),
            primitive("ripper_scan", Arity::exact(4), ripper_scan),
        ]);
        for (source, name) in [(include_str!("ripper.rb"), "ripper"), (include_str!("reports.rb"), "ripper/reports")] {
            ctx.run_internal(source, name)?;
        }
        Ok(())
    });
    // The translation needs Ripper's tables: it is loaded when it is needed first.
    register_extension(ctx, "ripper/events", |ctx| {
        for (source, name) in [(include_str!("order.rb"), "ripper/order"), (include_str!("events.rb"), "ripper/events")]
        {
            ctx.run_internal(source, name)?;
        }
        Ok(())
    });
}

/// `ripper_define(class, source)`: methods of the class, whose names may be the runtime's own.
fn define(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(class) = Class::try_of(recv) else { return Ok(Value::NIL) };
    let source = ctx.to_str(args.at(0))?.to_lossy(ctx).into_owned();
    ctx.run_internal_in(&source, "ripper", class)
}

/// `ripper_wants(ripper, walked, others, ripper_class, known) -> Integer`: 2 when the object has a handler of its own
/// for one of the events in `walked`, which only the tree has, 1 when it has one for one of the others, else 0. `known`
/// holds the last answer: the class, how often something had been defined, and the number.
fn wants(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (walked, others, known): (Array, Array, Array) =
        (ctx.expect(args.at(0))?, ctx.expect(args.at(1))?, ctx.expect(args.at(3))?);
    let class = ctx.dispatch_class(recv);
    let question = [class.value(), Value::fixnum(ctx.definitions() as i64)];
    if let [asked @ .., answer] = known.slice(ctx)
        && *asked == question
    {
        return Ok(*answer);
    }
    let own = |ctx: &Ctx, list: Array| {
        list.slice(ctx).iter().filter_map(|name| name.as_symbol()).any(|name| is_own(ctx, class, name, args.at(2)))
    };
    let level = Value::fixnum(if own(ctx, walked) { 2 } else { own(ctx, others) as i64 });
    known.clear(ctx);
    known.extend(ctx, &[question[0], question[1], level]);
    Ok(level)
}

/// Whether a handler is another than that of Ripper itself, which does nothing. What nobody has defined is called all
/// the same: that is the program's error.
fn is_own(ctx: &Ctx, class: Class, name: Sym, ripper: Value) -> bool {
    let Some(method) = class.find_method(ctx, name).method else { return true };
    // Ripper's handlers of events are aliases of a few methods.
    let renamed =
        method.resolved().name() != name || matches!(ctx.sym_bytes(name), b"warn" | b"warning" | b"compile_error");
    method.owner().value() != ripper || !renamed
}

/// `ripper_scan(source, filename, first_line, encoding, wanted) -> Array`: the encoding's name, whether `__END__` ends
/// the source, whether it has errors, and, when tokens are wanted, the facts as the `prism` gem reads them, or nil when
/// nothing is to be said, then lists: of the tokens' events, texts, lines, columns, states, starts and ends; of all
/// starts in order, and how many tokens have been reported with each; of the ends of heredocs and the width that is
/// taken away; of errors' places and where they are told instead.
fn ripper_scan(ctx: &mut Ctx, source: Str, args: Args) -> Result {
    let text = |ctx: &Ctx, value| Str::try_of(value).map_or_else(Vec::new, |text| text.bytes(ctx).to_vec());
    let first_line = args.at(1).as_fixnum().unwrap_or(1);
    let options = Options {
        filepath: text(ctx, args.at(0)),
        line: first_line as i32,
        encoding: text(ctx, args.at(2)),
        ..Options::default()
    };
    let wanted = args.at(3).truthy();
    let scanned = apart::on_bytes(ctx, source, "ripper", STACK, move |source| {
        let scan = scan(source, &options);
        let tokens = scan.as_ref().filter(|_| wanted).map_or_else(Tokens::default, |scan| tokens::tokens(source, scan));
        (scan, tokens)
    })?;
    let (Some(scan), tokens) = scanned else { return Err(ctx.no_memory()) };
    let result = Array::new(ctx);
    let name = Str::ascii(ctx, &scan.encoding).value();
    result.extend(ctx, &[name, Value::from_bool(scan.ended), Value::from_bool(!scan.errors.is_empty())]);
    if wanted {
        let facts = if scan.remarks { Str::from_vec(ctx, scan.facts, Encoding::BINARY).value() } else { Value::NIL };
        result.push(ctx, facts);
        lists(ctx, source, &scan.lines, first_line, &tokens, result)?;
    }
    Ok(result.value())
}

/// Appends the lists of `ripper_scan` to `result`. The source cannot change: it is frozen.
fn lists(ctx: &mut Ctx, source: Str, lines: &[usize], first_line: i64, tokens: &Tokens, result: Array) -> Result<()> {
    let encoding = ctx.expect::<Str>(result.get(0).unwrap_or(Value::NIL))?;
    let encoding = Encoding::find(encoding.bytes(ctx)).unwrap_or_else(|| source.encoding());
    let events: Vec<Sym> = tokens::NAMES.iter().map(|name| ctx.intern(name)).collect();
    let pieces = &tokens.pieces;
    let all = |ctx: &mut Ctx, of: &dyn Fn(&Piece) -> Value| {
        let list = Array::with_capacity(ctx, pieces.len());
        pieces.iter().for_each(|piece| list.push(ctx, of(piece)));
        result.push(ctx, list.value());
    };
    all(ctx, &|piece| Value::symbol(events[piece.event as usize]));
    let texts = Array::with_capacity(ctx, pieces.len());
    result.push(ctx, texts.value());
    for (step, piece) in pieces.iter().enumerate() {
        outside::poll(ctx, step)?;
        let text = source.substring(ctx, piece.start..piece.end);
        text.set_encoding(encoding);
        texts.push(ctx, text.value());
    }
    let places = tokens::places(source.bytes(ctx), lines, pieces);
    for part in [|place: &(usize, usize)| place.0, |place: &(usize, usize)| place.1].iter().enumerate() {
        let base = if part.0 == 0 { first_line } else { 0 };
        numbers(ctx, result, places.iter().map(|place| base + part.1(place) as i64));
    }
    all(ctx, &|piece| Value::fixnum(piece.state as i64));
    all(ctx, &|piece| Value::fixnum(piece.start as i64));
    all(ctx, &|piece| Value::fixnum(piece.end as i64));
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|index| (pieces[*index].start, *index));
    numbers(ctx, result, order.iter().map(|index| pieces[*index].start as i64));
    numbers(ctx, result, order.iter().map(|index| *index as i64 + 1));
    for pairs in [&tokens.dedents, &tokens.moved] {
        numbers(ctx, result, pairs.iter().flat_map(|(at, other)| [*at as i64, *other as i64]));
    }
    Ok(())
}

/// Appends a list of numbers to `result`.
fn numbers(ctx: &mut Ctx, result: Array, numbers: impl Iterator<Item = i64>) {
    let list = Array::new(ctx);
    numbers.for_each(|number| list.push(ctx, Value::fixnum(number)));
    result.push(ctx, list.value());
}
