//! Core classes: collections and what goes over them.

mod array;
mod enumerable;
mod enumerator;
mod hash;
mod range;
mod set;
mod structs;
pub(crate) mod util;

pub use set::{fill as fill_set, table_of as set_table};
pub use structs::members_of;

use rubellite_vm::{ClassDef, Ctx, Result, Value};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &enumerable::MODULE,
    &enumerable::ENUMERABLE,
    &array::ARRAY,
    &hash::HASH,
    &range::RANGE,
    &enumerator::KERNEL,
    &enumerator::ENUMERATOR,
    &enumerator::ARITHMETIC_SEQUENCE,
    &enumerator::LAZY,
    &structs::STRUCT,
    &structs::DATA,
    &set::SET,
];

/// Enumerable's methods that these classes have faster forms of: `[CLASS, METHODS]`.
const FASTER: &[(&str, &[&str])] = &[
    (
        "Array",
        &[
            "each_cons",
            "each_slice",
            "each_with_index",
            "entries",
            "filter_map",
            "flat_map",
            "collect_concat",
            "inject",
            "reduce",
            "sort_by",
            "tally",
        ],
    ),
    ("Hash", &["collect", "map", "count"]),
    ("Range", &["collect", "inject", "map", "reduce", "sum"]),
    ("Set", &["max", "min", "minmax", "sort", "sort_by", "sum"]),
];

/// Makes the faster forms of Enumerable's methods stand-ins.
///
/// # Errors
/// A class is missing.
pub fn make_stand_ins(ctx: &mut Ctx) -> Result<()> {
    let enumerable = ctx.named_class("Enumerable")?;
    for (class, names) in FASTER {
        ctx.named_class(class)?.make_stand_ins(ctx, enumerable, names);
    }
    Ok(())
}

/// Whether the value is an Enumerator::ArithmeticSequence.
fn is_arithmetic_sequence(ctx: &Ctx, value: Value) -> bool {
    if value.is_immediate() {
        return false;
    }
    let class = ctx.real_class(value);
    class.name(ctx) == Some("Enumerator::ArithmeticSequence")
}
