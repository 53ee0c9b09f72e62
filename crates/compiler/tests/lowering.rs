//! Shapes of the code for small programs: which opcodes, where variables live, what catch entries cover.

use rubellite_bytecode::{CatchKind, Const, ISeq, ISeqKind, KeywordRest, Op, Place, Text, verify};
use rubellite_compiler::{CommandLine, EvalScope, Options, Program, compile};
use rubellite_encoding::Encoding;
use std::sync::Arc;

fn program(source: &str) -> Program {
    program_with(source, &Options::default())
}

fn program_with(source: &str, options: &Options) -> Program {
    let program = compile(source.as_bytes(), options).unwrap_or_else(|error| panic!("{}", error.message));
    assert_eq!(verify(&program.iseq), Vec::<String>::new());
    program
}

fn ops(iseq: &ISeq) -> Vec<Op> {
    iseq.insns.iter().map(|insn| insn.op).filter(|op| *op != Op::Ext).collect()
}

fn count(iseq: &ISeq, op: Op) -> usize {
    ops(iseq).iter().filter(|other| **other == op).count()
}

fn method(source: &str) -> Arc<ISeq> {
    let program = program(source);
    program.iseq.children.iter().find(|child| child.kind == ISeqKind::Method).expect("a method").clone()
}

fn local(iseq: &ISeq, name: &str) -> Place {
    iseq.locals.iter().find(|local| local.name.bytes() == name.as_bytes()).expect("a local variable").place
}

fn message(source: &str) -> String {
    compile(source.as_bytes(), &Options::default()).expect_err("an error").message
}

fn text(name: &str) -> Text {
    Text::new(name.as_bytes(), Encoding::US_ASCII)
}

#[test]
fn arithmetic_works_in_place() {
    let iseq = method("def f(a, b) = a + b * 2");
    assert_eq!(ops(&iseq), [Op::LoadInt, Op::Mul, Op::Add, Op::Return]);
    let add = iseq.insns.iter().find(|insn| insn.op == Op::Add).unwrap();
    assert_eq!(add.b, 1, "the first operand is the parameter's own register");
}

#[test]
fn an_operand_is_copied_when_a_later_one_assigns_it() {
    let iseq = method("def f(a) = a + (a = 2)");
    assert_eq!(ops(&iseq)[0], Op::Move);
}

#[test]
fn small_literals_are_immediate() {
    assert_eq!(ops(&method("def f(n) = n - 1")), [Op::SubInt, Op::Return]);
    assert_eq!(ops(&method("def f(n)\n n += 5\n n\nend")), [Op::AddInt, Op::Return]);
}

#[test]
fn conditions_branch_without_booleans() {
    let iseq = method("def f(n)\n if n < 2 && n != 1\n n\n else\n 0\n end\nend");
    assert_eq!(ops(&iseq), [Op::BrLt, Op::BrNeq, Op::Return, Op::LoadInt, Op::Return]);
}

#[test]
fn a_loop_has_one_safepoint_and_its_condition_at_the_bottom() {
    let iseq = method("def f(n)\n while n > 0\n n -= 1\n end\nend");
    assert_eq!(ops(&iseq)[..4], [Op::Jump, Op::SubInt, Op::BrGt, Op::Loop]);
    assert_eq!(count(&iseq, Op::Loop), 1);
}

#[test]
fn only_captured_variables_live_in_the_environment() {
    let iseq = method("def f(a, b)\n c = 1\n g { b + c }\n a\nend");
    assert_eq!(local(&iseq, "a"), Place::Reg(1));
    assert_eq!(local(&iseq, "b"), Place::Env(0));
    assert_eq!(local(&iseq, "c"), Place::Env(1));
    assert_eq!(iseq.env_size, 2);
    assert_eq!(ops(&iseq)[0], Op::SetEnv, "a captured parameter is copied first");
    assert_eq!(count(&iseq.children[0], Op::GetEnv), 2);
}

#[test]
fn a_binding_captures_everything_outwards() {
    let iseq = method("def f(a)\n g { |b| binding }\nend");
    assert_eq!(local(&iseq, "a"), Place::Env(0));
    assert_eq!(local(&iseq.children[0], "b"), Place::Env(0));
}

#[test]
fn depth_counts_scopes_that_have_an_environment() {
    let iseq = method("def f(a)\n g { h { |x| a } }\nend");
    let inner = &iseq.children[0].children[0];
    let get = inner.insns.iter().find(|insn| insn.op == Op::GetEnv).unwrap();
    assert_eq!(get.x, 0, "the blocks between have none");
}

#[test]
fn defaults_have_one_entry_per_argument() {
    let iseq = method("def f(a, b = 1, c = 2) = a");
    assert_eq!(iseq.params.opt_table, [0, 1, 2]);
    let captured = method("def f(a, b = 1, c = -> { b }) = a");
    assert_eq!(captured.params.opt_table.len(), 3);
    assert!(captured.params.opt_table.is_sorted());
}

#[test]
fn parameters_are_described_as_ruby_reports_them() {
    let iseq = method("def f(a, (b, c), d = 1, *e, g, h: 1, i:, **j, &k) = k");
    let kinds: Vec<(&str, Option<String>)> = iseq
        .params
        .described
        .iter()
        .map(|(kind, name)| (*kind, name.as_ref().map(|name| String::from_utf8_lossy(name.bytes()).into_owned())))
        .collect();
    let name = |name: &str| Some(name.to_string());
    assert_eq!(
        kinds,
        [
            ("req", name("a")),
            ("req", None),
            ("opt", name("d")),
            ("rest", name("e")),
            ("req", name("g")),
            ("keyreq", name("i")),
            ("key", name("h")),
            ("keyrest", name("j")),
            ("block", name("k"))
        ]
    );
    assert_eq!(iseq.params.keyword_rest, KeywordRest::Named);
    assert!(iseq.params.block);
}

#[test]
fn a_block_that_is_only_passed_on_needs_no_proc() {
    let passed = method("def f(&block) = @a.each(&block)");
    assert!(!passed.params.block);
    assert_eq!(count(&passed, Op::GetBlock), 1);
    assert!(method("def f(&block) = block.call").params.block);
    assert!(!method("def f(...) = g(...)").params.block);
}

#[test]
fn a_swap_makes_no_array() {
    let iseq = method("def f(a, b)\n a, b = b, a\n nil\nend");
    assert_eq!(count(&iseq, Op::NewArray), 0);
    assert_eq!(count(&method("def f(a, b) = (a, b = b, a)"), Op::NewArray), 1);
}

#[test]
fn ensure_runs_on_every_way_out_and_does_not_cover_itself() {
    let iseq = method("def f(x)\n begin\n return 1 if x\n ensure\n g\n end\nend");
    assert_eq!(count(&iseq, Op::Call), 3, "return, fall through, unwinding");
    assert_eq!(count(&iseq, Op::Rethrow), 2, "after the body, and when the body itself is unwound");
    let calls: Vec<usize> =
        iseq.insns.iter().enumerate().filter(|(_, insn)| insn.op == Op::Call).map(|(pc, _)| pc).collect();
    let protected = iseq.catches.iter().filter(|entry| iseq.insns[entry.handler as usize].op != Op::SetErrInfo);
    for entry in protected {
        assert_eq!(entry.kind, CatchKind::Ensure);
        assert!(calls.iter().all(|pc| !(entry.start as usize..entry.end as usize).contains(pc)));
    }
}

#[test]
fn rescue_restores_the_error_variable() {
    let iseq = method("def f\n g\nrescue TypeError => e\n e\nend");
    assert_eq!(count(&iseq, Op::SetErrInfo), 3, "at the end of the clause, when none matches, and when it is unwound");
    let kinds: Vec<CatchKind> = iseq.catches.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [CatchKind::Rescue, CatchKind::Ensure]);
}

#[test]
fn leaving_blocks() {
    let iseq = method("def f\n g { return 1 }\n g { break 2 }\n g { next 3 }\n -> { return 4 }\nend");
    let op = |child: usize| {
        *ops(&iseq.children[child]).iter().find(|op| matches!(op, Op::Return | Op::ReturnFar | Op::Break)).unwrap()
    };
    assert_eq!([op(0), op(1), op(2), op(3)], [Op::ReturnFar, Op::Break, Op::Return, Op::Return]);
}

#[test]
fn receivers_and_indexes_are_evaluated_once() {
    let iseq = method("def f\n g[h] += 1\nend");
    let called: Vec<&[u8]> = iseq
        .insns
        .iter()
        .filter(|insn| insn.op == Op::Call)
        .map(|insn| iseq.names[iseq.sites[insn.c as usize].name as usize].bytes())
        .collect();
    assert_eq!(called, [b"g", b"h"]);
    assert_eq!((count(&iseq, Op::ARef), count(&iseq, Op::ASet)), (1, 1));
}

#[test]
fn keyword_arguments_stay_apart_when_they_are_literal() {
    let iseq = method("def f(h)\n g(1, a: 2, b: 3)\n g(**h)\n g(**h, a: 1)\nend");
    let literal = iseq.sites.iter().find(|site| !site.keywords.is_empty()).unwrap();
    assert_eq!((literal.argc, literal.keywords.len()), (3, 2));
    let splats: Vec<bool> =
        iseq.sites.iter().filter(|site| site.keyword_splat).map(|site| site.keyword_splat_fresh).collect();
    assert_eq!(splats, [false, true]);
}

#[test]
fn string_literals_follow_the_magic_comment() {
    let plain = program("'a'");
    assert_eq!((plain.iseq.insns[0].op, plain.iseq.insns[0].x), (Op::NewString, 1));
    assert_eq!(program("# frozen_string_literal: true\n'a'").iseq.insns[0].op, Op::LoadConst);
    let mutable = program("# frozen_string_literal: false\n'a'");
    assert_eq!((mutable.iseq.insns[0].op, mutable.iseq.insns[0].x), (Op::NewString, 0));
}

#[test]
fn literals_keep_their_encoding() {
    let program = program("['é', \"\\xff\", :é, :a, 10 ** 20, 123456789012345678901234567890]");
    assert!(program.iseq.consts.contains(&Const::Str(Text::new("é".as_bytes(), Encoding::UTF_8))));
    assert!(program.iseq.consts.contains(&Const::Symbol(text("a"))));
    assert!(program.iseq.consts.contains(&Const::BigInt("123456789012345678901234567890".into())));
}

#[test]
fn an_eval_reaches_the_environments_around_it() {
    let scopes = [EvalScope { locals: vec![text("inner")] }, EvalScope { locals: vec![text("x"), text("outer")] }];
    let options = Options { kind: ISeqKind::Eval, scopes: &scopes, ..Options::default() };
    let program = program_with("mine = inner + outer", &options);
    let gets: Vec<(u8, u16)> =
        program.iseq.insns.iter().filter(|insn| insn.op == Op::GetEnv).map(|insn| (insn.x, insn.b)).collect();
    assert_eq!(gets, [(1, 0), (2, 1)], "its own environment comes first");
    assert_eq!(local(&program.iseq, "mine"), Place::Env(0));
}

#[test]
fn data_after_end() {
    assert_eq!(program("1\n__END__\ndata\n").data_offset, Some(10));
    assert_eq!(program("1\n").data_offset, None);
}

#[test]
fn syntax_errors_show_the_source() {
    assert_eq!(
        message("foo(\n1 + )\nend"),
        "-e:2: syntax errors found\n  1 | foo(\n> 2 | 1 + )\n    |     ^ unexpected ')'; expected an expression after the operator\n> 3 | end\n    | ^~~ unexpected 'end', ignoring it\n"
    );
}

#[test]
fn warnings_have_levels() {
    let source = "def f; x = 1; end\n{a: 1, a: 2}\n";
    assert_eq!(program(source).warnings.len(), 1);
    let program = program_with(source, &Options { verbose: true, ..Options::default() });
    let warnings: Vec<(i32, &str, bool)> =
        program.warnings.iter().map(|warning| (warning.line, warning.message.as_str(), warning.verbose_only)).collect();
    assert!(warnings.contains(&(1, "assigned but unused variable - x", true)));
    assert!(warnings.contains(&(2, "key :a is duplicated and overwritten on line 2", false)));
}

#[test]
fn limits_are_errors_and_not_crashes() {
    let deep = format!("x = {}1", "1 + ".repeat(100_000));
    assert!(message(&deep).contains("nested too deeply"));
    let doubled = format!("{}x\n{}", "begin\n1\nensure\n".repeat(40), "end\n".repeat(40));
    assert!(message(&doubled).contains("too "));
    let long: String = (0..70_000).map(|index| format!("v{index} = 1\n")).collect();
    assert!(message(&long).contains("too many registers"));
    program(&format!("[{}]", "1, ".repeat(100_000)));
}

#[test]
fn command_line_loops_wrap_the_script() {
    let command_line = CommandLine { each_line: true, print: true, chomp: true, split: true, ..CommandLine::default() };
    let program = program_with("$_.upcase!", &Options { command_line, ..Options::default() });
    let names: Vec<&[u8]> =
        program.iseq.sites.iter().map(|site| program.iseq.names[site.name as usize].bytes()).collect();
    for name in ["gets", "upcase!", "split", "print"] {
        assert!(names.contains(&name.as_bytes()), "{name}");
    }
    assert_eq!(count(&program.iseq, Op::Loop), 1);
}

#[test]
fn a_whole_hash_in_super_and_captured_parameters() {
    let iseq = method("def f(a, (b, c), *d, e: 1, **g)\n h { super }\nend");
    let block = &iseq.children[0];
    let site = block.sites.iter().find(|site| site.zsuper).expect("super");
    assert!(site.splat && site.keyword_splat && site.keyword_splat_fresh);
    assert_eq!(count(block, Op::Super), 1);
    assert_eq!(count(&iseq, Op::SetEnv), 7, "every parameter and what the pattern holds");
}

#[test]
fn literals_in_when_use_the_fused_comparison() {
    let iseq = method("def f(x)\n case x\n when 1, :a then 1\n when String then 2\n end\nend");
    assert_eq!(count(&iseq, Op::BrWhen), 2);
    assert_eq!(count(&iseq, Op::Call), 1);
}

#[test]
fn blocks_in_ensure_bodies_have_their_own_registers_in_every_copy() {
    let iseq = method("def f(x)\n begin\n return 1 if x\n ensure\n g { |a| b = a\n c = b }\n end\nend");
    assert_eq!(iseq.children.len(), 3);
    for child in &iseq.children {
        let mut places: Vec<Place> = child.locals.iter().map(|local| local.place).collect();
        places.dedup();
        assert_eq!((places.len(), child.local_end), (3, 4));
    }
}

#[test]
fn core_sources_need_little_stack() {
    fn compile_all(folder: &std::path::Path, found: &mut usize) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                compile_all(&entry, found);
            } else if entry.extension().is_some_and(|name| name == "rb") {
                let source = std::fs::read_to_string(&entry).unwrap();
                drop(program_with(
                    &source,
                    &Options { kind: ISeqKind::Top, stack_bytes: usize::MAX, ..Options::default() },
                ));
                *found += 1;
            }
        }
    }
    let worker = std::thread::Builder::new().stack_size(192 << 10).spawn(|| {
        let mut found = 0;
        compile_all(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../corelib")), &mut found);
        found
    });
    assert!(worker.unwrap().join().unwrap() > 20);
}

#[test]
fn small_sources_need_little_stack() {
    const STACK: usize = 192 << 10;
    let sources = ["[", "!", "x(", "{a: ", "->{", "if x then ", "begin ", "\"#{", "x ? y : "].map(|open| {
        let close = match open {
            "[" => "]",
            "x(" => ")",
            "{a: " | "->{" => "}",
            "\"#{" => "}\"",
            "if x then " | "begin " => " end",
            _ => "",
        };
        let levels = 190
            / (open.split_whitespace().count()
                + open.chars().filter(|c| !c.is_alphanumeric() && *c != ' ').count()
                + close.len().min(1) * 2);
        format!("{}1{}", open.repeat(levels), close.repeat(levels))
    });
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || sources.iter().for_each(|source| drop(program(source))));
    assert!(worker.unwrap().join().is_ok());
}
