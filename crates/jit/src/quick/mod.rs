//! A code generator that takes little time: machine code for x86-64 out of Cranelift's intermediate form, for code that
//! runs now and then and would never earn back the time that a thorough generator takes.
//!
//! Each value gets one register or one word of the machine stack for all its life (`ranges`, `place`), and each
//! instruction becomes one or a few of the processor's (`emit`, `compute`), with what is needed to compare and jump at
//! once (`order`). There is nothing else: no search for better code, and no tables. What is not known here is left to
//! Cranelift.

mod asm;
#[cfg(test)]
mod check;
mod compute;
mod emit;
mod jumps;
mod moves;
mod order;
mod place;
mod ranges;

use cranelift_codegen::ir::Function;
use emit::Emitter;
use order::Order;
use place::Places;
use ranges::Ranges;

/// Whether the processor is one for which machine code can be made here.
pub const IS_AT_HAND: bool = cfg!(target_arch = "x86_64");

/// Machine code of a function. None: it has instructions that are not known here, or the processor is another one.
pub fn generate(function: &mut Function) -> Option<Vec<u8>> {
    if !IS_AT_HAND {
        return None;
    }
    function.dfg.resolve_all_aliases();
    let order = Order::of(function);
    let ranges = Ranges::of(function, &order);
    let places = Places::of(function, &order, &ranges);
    Emitter::bytes(function, &order, &ranges, &places)
}
