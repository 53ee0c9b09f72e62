//! Definitions: methods, classes, modules, aliases, `undef`, `END`.

use crate::asm::Reg;
use crate::compiler::{Compiler, Function};
use rubellite_bytecode::{ISeqKind, Intrinsic, Op};
use ruby_prism::*;

impl<'pr> Compiler<'pr> {
    pub fn def(&mut self, node: &DefNode<'pr>, dst: Option<Reg>) {
        let reg = self.asm.temp();
        if let Some(receiver) = node.receiver() {
            self.into(&receiver, reg);
        }
        let text = self.src.text(node.name().as_slice());
        let fun = self.function_at(ISeqKind::Method, text.clone(), &node.location());
        let head =
            node.operator_loc().map_or(node.name_loc().start(), |operator| operator.start())..node.name_loc().end();
        let fun = Function { head, ..fun };
        let iseq = self.nested(fun, |compiler| {
            compiler.method_parameters(node.parameters());
            let body = node.body();
            match body.as_ref().and_then(|n| n.as_statements_node()).and_then(|n| n.body().iter().next()) {
                // The body of an endless definition is an expression: no statement begins there.
                Some(expression) if node.equal_loc().is_some() => compiler.tail(&expression),
                _ => compiler.tail_optional(body),
            }
        });
        let child = self.asm.child(iseq);
        let name = self.asm.name(text);
        let op = if node.receiver().is_some() { Op::DefSingleton } else { Op::DefMethod };
        self.asm.emit(op, reg, name, child);
        if let Some(dst) = dst {
            self.asm.move_to(dst, reg);
        }
    }

    fn class_body(&mut self, label: Vec<u8>, location: &Location<'pr>, body: Option<Node<'pr>>) -> (u16, bool) {
        let name = self.src.text(&label);
        let fun = self.function_at(ISeqKind::Class, name, location);
        let mut jumps_out = false;
        let iseq = self.nested(fun, |compiler| {
            compiler.no_parameters();
            compiler.tail_optional(body);
            jumps_out = compiler.fun.jumps_out;
        });
        (self.asm.child(iseq), jumps_out)
    }

    /// R[a] = the module that a class is defined in, nil for the lexical scope; the class's name.
    fn class_place(&mut self, path: &Node<'pr>, place: Reg) -> u16 {
        let Some(path) = path.as_constant_path_node() else {
            self.asm.emit(Op::LoadUndef, place, 0, 0);
            let name = path.as_constant_read_node().map_or(&b""[..], |n| n.name().as_slice());
            return self.name(name);
        };
        match path.parent() {
            Some(parent) => self.into(&parent, place),
            None => self.asm.emit(Op::LoadObject, place, 0, 0),
        }
        let name = path.name().map_or(&b""[..], |name| name.as_slice());
        self.name(name)
    }

    pub fn class(&mut self, node: &ClassNode<'pr>, dst: Option<Reg>) {
        let place = self.asm.temp();
        let superclass = self.asm.temp();
        let name = self.class_place(&node.constant_path(), place);
        match node.superclass() {
            Some(expression) => self.into(&expression, superclass),
            None => self.asm.emit(Op::LoadUndef, superclass, 0, 0),
        }
        let label = [b"<class:", node.name().as_slice(), b">"].concat();
        let body = self.class_body(label, &node.location(), node.body());
        self.set_line_at(&node.location());
        self.asm.emit_x(Op::DefClass, 0, place, name, body.0);
        self.finish_class(body, place, dst);
    }

    pub fn module(&mut self, node: &ModuleNode<'pr>, dst: Option<Reg>) {
        let place = self.asm.temp();
        let superclass = self.asm.temp();
        let name = self.class_place(&node.constant_path(), place);
        self.asm.emit(Op::LoadUndef, superclass, 0, 0);
        let label = [b"<module:", node.name().as_slice(), b">"].concat();
        let body = self.class_body(label, &node.location(), node.body());
        self.set_line_at(&node.location());
        self.asm.emit_x(Op::DefClass, 1, place, name, body.0);
        self.finish_class(body, place, dst);
    }

    pub fn singleton_class(&mut self, node: &SingletonClassNode<'pr>, dst: Option<Reg>) {
        let object = self.temp(&node.expression());
        let body = self.class_body(b"singleton class".to_vec(), &node.location(), node.body());
        self.set_line_at(&node.location());
        self.asm.emit(Op::SClass, object, body.0, 0);
        self.finish_class(body, object, dst);
    }

    /// Behind the instruction that runs the body.
    fn finish_class(&mut self, (_, jumps_out): (u16, bool), reg: Reg, dst: Option<Reg>) {
        if jumps_out {
            self.class_exits(self.asm.pc() - 1);
        }
        if let Some(dst) = dst {
            self.asm.move_to(dst, reg);
        }
    }

    pub fn alias_method(&mut self, node: &AliasMethodNode<'pr>, dst: Option<Reg>) {
        let new = self.temp(&node.new_name());
        let old = self.temp(&node.old_name());
        self.asm.emit(Op::Alias, new, old, 0);
        self.nil(dst);
    }

    pub fn alias_global(&mut self, node: &AliasGlobalVariableNode<'pr>, dst: Option<Reg>) {
        let new = self.global_name(&node.new_name());
        let old = self.global_name(&node.old_name());
        self.asm.emit(Op::AliasGlobal, new, old, 0);
        self.nil(dst);
    }

    fn global_name(&mut self, node: &Node<'pr>) -> u16 {
        let location = node.location();
        self.name(location.as_slice())
    }

    pub fn undef(&mut self, node: &UndefNode<'pr>, dst: Option<Reg>) {
        for name in &node.names() {
            let mark = self.asm.mark();
            let reg = self.temp(&name);
            self.asm.emit(Op::Undef, reg, 0, 0);
            self.asm.release(mark);
        }
        self.nil(dst);
    }

    /// `END {}` registers its block the first time it is reached.
    pub fn post_execution(&mut self, node: &PostExecutionNode<'pr>, dst: Option<Reg>) {
        let reg = self.asm.temp();
        self.once(reg, |compiler| {
            let fun = compiler.function_at(ISeqKind::Block, compiler.fun.name.clone(), &node.location());
            let iseq = compiler.nested(fun, |compiler| {
                compiler.no_parameters();
                compiler.tail_optional(node.statements().map(|n| n.as_node()));
            });
            let child = compiler.asm.child(iseq);
            let block = compiler.asm.temp();
            compiler.asm.emit(Op::Lambda, block, child, 0);
            compiler.asm.emit_x(Op::Intrinsic, Intrinsic::AtExit as u8, reg, block, 1);
        });
        self.nil(dst);
    }
}
