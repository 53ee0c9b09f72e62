//! Array: the class and its table of methods. Storage is `vm::object::array`; methods that yield per element are
//! `array.rb`; the natives lie by topic in the files beside this one.

mod combine;
mod compare;
mod convert;
pub use convert::append_nested;
mod edit;
mod index;
mod random;
mod set_ops;
mod sort;

pub use combine::{pick, zip};
pub use compare::word_of;
pub use index::dig_into;
pub use random::Dice;
pub use set_ops::count;
pub use sort::{sort_by_keys, sort_list, sort_list_with_block, sum};

use rubellite_vm::class::Class;
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive, private_method};

use super::util::count_arg;

pub static ARRAY: ClassDef = ClassDef {
    name: "Array",
    superclass: "Object",
    includes: &["Enumerable"],
    alloc: Some(allocate),
    singleton_methods: &[method("[]", Arity::ANY, literal), method("try_convert", Arity::ONE, try_convert)],
    methods: &[
        private_method("initialize", Arity::range(0, 2), initialize),
        private_method("initialize_copy", Arity::ONE, edit::replace),
        method("replace", Arity::ONE, edit::replace),
        // Reading.
        method("[]", Arity::range(1, 2), index::aref),
        method("slice", Arity::range(1, 2), index::aref),
        method("at", Arity::ONE, index::at),
        method("dig", Arity::at_least(1), index::dig).tries(super::hash::try_dig),
        method("first", Arity::range(0, 1), index::first).leaf(0),
        method("last", Arity::range(0, 1), index::last).leaf(0),
        method("length", Arity::NONE, index::length).leaf(0),
        method("size", Arity::NONE, index::length).leaf(0),
        method("empty?", Arity::NONE, index::empty_p).leaf(0),
        method("fetch", Arity::range(1, 2), index::fetch),
        method("values_at", Arity::ANY, index::values_at),
        method("take", Arity::ONE, index::take),
        method("drop", Arity::ONE, index::drop),
        method("include?", Arity::ONE, index::include_p).tries(index::try_include),
        method("assoc", Arity::ONE, index::assoc),
        method("rassoc", Arity::ONE, index::rassoc),
        // Changing.
        method("[]=", Arity::range(2, 3), edit::aset),
        method("push", Arity::ANY, edit::push),
        method("append", Arity::ANY, edit::push),
        method("<<", Arity::ONE, edit::push_op),
        method("pop", Arity::range(0, 1), edit::pop),
        method("shift", Arity::range(0, 1), edit::shift),
        method("unshift", Arity::ANY, edit::unshift),
        method("prepend", Arity::ANY, edit::unshift),
        method("insert", Arity::at_least(1), edit::insert),
        method("concat", Arity::ANY, edit::concat),
        method("clear", Arity::NONE, edit::clear),
        method("delete", Arity::ONE, edit::delete),
        method("delete_at", Arity::ONE, edit::delete_at),
        method("slice!", Arity::range(1, 2), edit::slice_bang),
        method("compact", Arity::NONE, edit::compact),
        method("compact!", Arity::NONE, edit::compact_bang),
        method("reverse", Arity::NONE, edit::reverse),
        method("reverse!", Arity::NONE, edit::reverse_bang),
        method("rotate", Arity::range(0, 1), edit::rotate),
        method("rotate!", Arity::range(0, 1), edit::rotate_bang),
        method("fill", Arity::range(0, 3), edit::fill),
        method("freeze", Arity::NONE, edit::freeze),
        // Combining.
        method("+", Arity::ONE, combine::plus),
        method("*", Arity::ONE, combine::times),
        method("flatten", Arity::range(0, 1), combine::flatten),
        method("flatten!", Arity::range(0, 1), combine::flatten_bang),
        method("transpose", Arity::NONE, combine::transpose),
        // Sets.
        method("-", Arity::ONE, set_ops::minus),
        method("&", Arity::ONE, set_ops::and),
        method("|", Arity::ONE, set_ops::or),
        method("difference", Arity::ANY, set_ops::difference),
        method("union", Arity::ANY, set_ops::union),
        method("intersection", Arity::ANY, set_ops::intersection),
        method("intersect?", Arity::ONE, set_ops::intersect_p),
        // Order.
        method("sort", Arity::NONE, sort::sort),
        method("sort!", Arity::NONE, sort::sort_bang),
        method("min", Arity::range(0, 1), sort::min),
        method("max", Arity::range(0, 1), sort::max),
        method("sum", Arity::range(0, 1), sort::sum_method),
        method("sample", Arity::range(0, 1).with_keywords(), random::sample),
        // Comparing and converting.
        method("==", Arity::ONE, compare::op_eq),
        method("eql?", Arity::ONE, compare::eql_p),
        method("<=>", Arity::ONE, compare::op_cmp),
        method("hash", Arity::NONE, compare::hash),
        method("inspect", Arity::NONE, convert::inspect_method),
        method("to_s", Arity::NONE, convert::inspect_method),
        method("join", Arity::range(0, 1), convert::join),
        method("to_a", Arity::NONE, convert::to_a),
        method("entries", Arity::NONE, convert::entries),
        method("to_ary", Arity::NONE, convert::to_ary),
        method("deconstruct", Arity::NONE, convert::to_ary),
    ],
    primitives: &[
        primitive("array_at", Arity::ONE, index::at_fast).leaf(1),
        primitive("array_add_integers", Arity::exact(2), index::add_integers),
        primitive("array_len", Arity::NONE, index::length).leaf(0),
        primitive("array_part", Arity::exact(2), index::aref),
        primitive("array_put", Arity::exact(2), edit::put),
        primitive("array_keep", Arity::exact(2), edit::keep_compacted),
        primitive("array_replace", Arity::ONE, edit::replace),
        primitive("array_index", Arity::ONE, index::index_of),
        primitive("array_rindex", Arity::ONE, index::rindex_of),
        primitive("array_count", Arity::ONE, index::count_of),
        primitive("array_product", Arity::ANY, combine::product),
        primitive("array_uniq", Arity::NONE, set_ops::uniq),
        primitive("array_uniq_bang", Arity::NONE, set_ops::uniq_bang),
        primitive("array_tally", Arity::ONE, set_ops::tally),
        primitive("array_shuffle_bang", Arity::ONE, random::shuffle_bang),
        primitive("array_shuffle", Arity::ONE, random::shuffle),
        primitive("array_draw", Arity::exact(2), random::draw),
        primitive("array_to_h", Arity::NONE, convert::to_h),
    ],
    ruby: include_str!("../array.rb"),
    ..ClassDef::EMPTY
};

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Array::new_in(ctx, class).value())
}

/// `Array[*items]`
fn literal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Array::from_slice_in(ctx, recv, args.slice()).value())
}

fn try_convert(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.check_array(args.at(0))?.map_or(Value::NIL, Array::value))
}

/// `Array.new`, `(array)`, `(size, value = nil)`, `(size) { |index| ... }`
fn initialize(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    ctx.check_frozen(ary.value())?;
    let Some(size) = args.get(0) else {
        ary.clear(ctx);
        if args.has_block() {
            ctx.warn_verbose("given block not used")?;
        }
        return Ok(ary.value());
    };
    if args.len() == 1
        && !size.is_fixnum()
        && let Some(other) = ctx.check_array(size)?
    {
        ary.replace(ctx, other);
        return Ok(ary.value());
    }
    let len = count_arg(ctx, size, "negative array size")?;
    if len > Array::MAX_LEN {
        return Err(ctx.array_too_big());
    }
    ary.clear(ctx);
    if args.has_block() {
        if args.len() == 2 {
            ctx.warn("block supersedes default value argument")?;
        }
        let name = ctx.internal("__init_by_block");
        let len = ctx.int(len as i64);
        ctx.call_with_block(ary.value(), name, &[len], args.block)?;
        return Ok(ary.value());
    }
    if ary.try_reserve(ctx, len).is_err() {
        return Err(ctx.no_memory());
    }
    fill_in_batches(ctx, ary, 0, len, args.at(1))?;
    Ok(ary.value())
}

/// Elements stored or moved between two safepoints: some tens of microseconds, pages of new memory included.
pub(crate) const BATCH: usize = 1 << 14;

/// Stores the item at all positions of the range, with safepoints in between.
pub(crate) fn fill_in_batches(ctx: &mut Ctx, ary: Array, mut from: usize, end: usize, item: Value) -> Result<()> {
    while end - from > BATCH {
        ary.fill(ctx, from..from + BATCH, item);
        from += BATCH;
        ctx.check_interrupts()?;
        ctx.check_frozen(ary.value())?;
        // Another thread may have shortened it meanwhile: it is filled up to where it ended.
        if from > ary.len() && ary.try_reserve(ctx, end - ary.len()).is_err() {
            return Err(ctx.no_memory());
        }
    }
    ary.fill(ctx, from..end, item);
    Ok(())
}

/// A Hash whose keys are the elements, for set operations; hidden from Ruby.
pub fn index_of_elements(ctx: &mut Ctx, ary: Array) -> Result<Hash> {
    let table = Hash::new_in(ctx, Value::HIDDEN);
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        if !table.contains(ctx, item)? {
            table.insert(ctx, item, item)?;
        }
        i += 1;
        rubellite_core_thread::outside::poll(ctx, i)?;
    }
    Ok(table)
}

/// The Array class.
pub fn class(ctx: &Ctx) -> Class {
    ctx.classes().array.class()
}
