//! Text form of a code object, as `--dump=insns` prints it.

use crate::{ISeq, Intrinsic, Op, Text};
use std::fmt::Write;

/// The listing of `iseq` and of every code object within it.
pub fn disassemble(iseq: &ISeq) -> String {
    let mut out = String::new();
    let mut left = vec![iseq];
    while let Some(iseq) = left.pop() {
        if !out.is_empty() {
            out.push('\n');
        }
        one(iseq, &mut out);
        left.extend(iseq.children.iter().rev().map(|child| &**child));
    }
    out
}

fn one(iseq: &ISeq, out: &mut String) {
    let _ = writeln!(
        out,
        "== {:?} {} @ {}:{} (registers: {}, env: {})",
        iseq.kind,
        show(&iseq.name),
        iseq.script.path,
        iseq.line,
        iseq.register_count,
        iseq.env_size
    );
    for local in &iseq.locals {
        let _ = writeln!(out, "   local {} {:?}", show(&local.name), local.place);
    }
    for entry in &iseq.catches {
        let _ = writeln!(out, "   {entry:?}");
    }
    let mut line = None;
    for (pc, insn) in iseq.insns.iter().enumerate() {
        let here = iseq.line_at(pc);
        let mark = if line == Some(here) { String::new() } else { format!("({here})") };
        line = Some(here);
        let _ = writeln!(
            out,
            "{pc:04} {mark:>6} {:<14} x={:<3} a={:<4} b={:<5} c={:<5}{}",
            format!("{:?}", insn.op),
            insn.x,
            insn.a,
            insn.b,
            insn.c,
            note(iseq, pc)
        );
    }
}

/// What the operands refer to, where a name helps.
fn note(iseq: &ISeq, pc: usize) -> String {
    let insn = iseq.insns[pc];
    let name = |n: u16| iseq.names.get(n as usize).map(show).unwrap_or_default();
    let site = |s: u16| {
        iseq.sites.get(s as usize).map(|s| format!(" ; :{} argc={}", name(s.name), s.argc)).unwrap_or_default()
    };
    match insn.op {
        Op::Call | Op::Primitive | Op::Super | Op::Yield => site(insn.c),
        Op::Ext => {
            let first = pc.checked_sub(1).map_or(Op::Nop, |pc| iseq.insns[pc].op);
            let target = format!(" ; -> {:04}", pc as i64 + 1 + insn.bc() as i64);
            match first {
                Op::Once => target,
                first if crate::is_compare_branch(first) => format!("{}{target}", site(insn.a)),
                _ => site(insn.a),
            }
        }
        Op::Intrinsic => {
            Intrinsic::ALL.get(insn.x as usize).map(|intrinsic| format!(" ; {intrinsic:?}")).unwrap_or_default()
        }
        Op::Jump | Op::JumpIf | Op::JumpUnless | Op::JumpNil | Op::JumpNotNil | Op::JumpGiven | Op::Loop => {
            format!(" ; -> {:04}", pc as i64 + 1 + insn.bc() as i64)
        }
        Op::LoadConst | Op::NewString | Op::FrozenString | Op::DupLiteral => {
            iseq.consts.get(insn.literal()).map(|k| format!(" ; {k:?}")).unwrap_or_default()
        }
        Op::GetIvar
        | Op::SetIvar
        | Op::GetGlobal
        | Op::SetGlobal
        | Op::GetConst
        | Op::GetCvar
        | Op::SetCvar
        | Op::GetConstFrom
        | Op::GetConstTop
        | Op::DefMethod => {
            format!(" ; {}", name(insn.b))
        }
        Op::DefSingleton | Op::DefClass => format!(" ; {}", name(insn.b)),
        Op::SetConst => format!(" ; {}", name(insn.c)),
        _ => String::new(),
    }
}

fn show(text: &Text) -> String {
    String::from_utf8_lossy(text.bytes()).into_owned()
}
