//! Names in a dump: symbols, the classes and modules that they name, and encodings.

use super::Loader;
use rubellite_core_text::class_at;
use rubellite_vm::class::Class;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Encoding, Result, Sym, Value};

impl Loader {
    /// A symbol that is not a value of its own: a name of a class, member or variable.
    pub(super) fn symbol(&mut self, ctx: &mut Ctx) -> Result<Sym> {
        let mut tagged = false;
        let symbol = loop {
            match self.reader.byte(ctx)? {
                b'I' if !tagged => tagged = true,
                b'I' => {}
                b':' => break self.new_symbol(ctx, tagged)?,
                b';' if tagged => return Err(ctx.argument_error("dump format error (symlink with encoding)")),
                b';' => break self.old_symbol(ctx)?,
                other => return Err(ctx.argument_error(&format!("dump format error for symbol(0x{other:x})"))),
            }
        };
        Ok(ctx.pinned(symbol).unwrap_or(Sym(0)))
    }

    pub(super) fn old_symbol(&mut self, ctx: &mut Ctx) -> Result {
        let number = self.reader.long(ctx)?;
        match usize::try_from(number).ok().and_then(|n| self.symbols.get(n)) {
            Some(symbol) => Ok(symbol),
            None => Err(ctx.argument_error("bad symbol")),
        }
    }

    pub(super) fn new_symbol(&mut self, ctx: &mut Ctx, tagged: bool) -> Result {
        let mut symbol = self.reader.bytes(ctx, |ctx, bytes| ctx.dynamic_symbol(bytes, Encoding::BINARY))?;
        let number = self.symbols.len();
        self.symbols.push(ctx, symbol);
        if tagged {
            let mut encoding = None;
            for _ in 0..self.reader.long(ctx)?.max(0) {
                let name = self.symbol(ctx)?;
                let value = self.object(ctx)?;
                encoding = self.encoding(ctx, name, value)?;
            }
            if let (Some(encoding), Some(name)) = (encoding, symbol.as_symbol()) {
                let bytes = ctx.sym_bytes(name);
                if encoding.code_range(bytes) == rubellite_vm::object::CodeRange::Broken {
                    let text = Str::of_symbol(ctx, name);
                    text.set_encoding(encoding);
                    let text = text.value();
                    let text = ctx.inspect(text)?;
                    return Err(ctx.argument_error(&format!("invalid byte sequence in {}: {text}", encoding.name())));
                }
                symbol = ctx.dynamic_symbol(bytes, encoding);
                self.symbols.set(ctx, number, symbol);
            }
        }
        Ok(symbol)
    }

    /// The encoding that a variable tells, if it tells one.
    pub(super) fn encoding(&mut self, ctx: &mut Ctx, name: Sym, value: Value) -> Result<Option<Encoding>> {
        if name == self.names.short {
            return Ok(match value {
                Value::TRUE => Some(Encoding::UTF_8),
                Value::FALSE => Some(Encoding::US_ASCII),
                _ => None,
            });
        }
        if name == self.names.encoding {
            let text = ctx.to_str(value)?;
            if text.bytes(ctx).contains(&0) {
                return Err(ctx.null_byte_error());
            }
            return Ok(Encoding::find(text.bytes(ctx)));
        }
        Ok(None)
    }

    /// The class or module of a name.
    pub(super) fn module(&mut self, ctx: &mut Ctx, name: Sym) -> Result<Class> {
        if let Some(known) = self.classes.get(&name) {
            return ctx.expect(*known);
        }
        let found = class_at(ctx, &ctx.sym_bytes(name).to_vec())?;
        self.classes.insert(name, found);
        ctx.expect(found)
    }

    pub(super) fn class(&mut self, ctx: &mut Ctx, name: Sym) -> Result<Class> {
        let found = self.module(ctx, name)?;
        if found.is_module() {
            let text = ctx.sym_str(name);
            return Err(ctx.argument_error(&format!("{text} does not refer to class")));
        }
        Ok(found)
    }
}
