//! Warnings of the runtime: their categories, their text with file and line, and the call of `Warning.warn`.

use crate::Result;
use crate::ctx::Ctx;
use crate::object::{Hash, Str};
use crate::warning::Category;
use rubellite_value::{Tag, Value};

impl Ctx {
    /// `Warning[category]`
    pub fn category_is_on(&self, category: Category) -> bool {
        self.vm().warning_categories.get(category)
    }

    /// `Warning[category] = on`
    pub fn switch_category(&self, category: Category, on: bool) {
        self.vm().warning_categories.set(category, on);
    }

    /// Whether a warning of the category is heard, which is worth asking before its text is made.
    #[inline]
    pub fn warns_of(&self, category: Category) -> bool {
        self.category_is_on(category) && !self.vm().verbose.get().is_nil()
    }

    /// A warning with the position of the running code, unless `$VERBOSE` is nil.
    pub fn warn(&mut self, message: &str) -> Result<()> {
        if self.vm().verbose.get().is_nil() {
            return Ok(());
        }
        let text = self.warning_text(message);
        self.warn_raw(&text)
    }

    /// A warning given only when `$VERBOSE` is true.
    pub fn warn_verbose(&mut self, message: &str) -> Result<()> {
        if self.vm().verbose.get() == Value::TRUE { self.warn(message) } else { Ok(()) }
    }

    /// A warning of a category, when that is on.
    pub fn warn_category(&mut self, message: &str, category: Category) -> Result<()> {
        if !self.warns_of(category) {
            return Ok(());
        }
        let text = self.warning_text(message);
        let text = Str::utf8(self, &text).value();
        let category = Value::symbol(self.intern(category.name()));
        self.deliver_warning(text, Some(category)).map(drop)
    }

    /// "FILE:LINE: warning: MESSAGE" of the running code.
    pub(crate) fn warning_text(&self, message: &str) -> String {
        match self.source_location() {
            (Some(file), line) => format!("{file}:{line}: warning: {message}\n"),
            _ => format!("warning: {message}\n"),
        }
    }

    /// Hands a finished text to `Warning.warn`, with its category if the program's method takes keywords.
    pub fn deliver_warning(&mut self, text: Value, category: Option<Value>) -> Result {
        let Some(warning) = self.warning_module() else { return Ok(Value::NIL) };
        let name = self.names().warn;
        let class = self.dispatch_class(warning);
        if class.find_method(self, name).method.is_some_and(|m| m.arity() == 1) {
            return self.call(warning, name, &[text]).map(|_| Value::NIL);
        }
        let options = Hash::new(self);
        let key = Value::symbol(self.intern("category"));
        options.insert(self, key, category.unwrap_or(Value::NIL))?;
        self.call_full(warning, name, &[text, options.value()], true, Value::NIL, crate::call::CallKind::Any)?;
        Ok(Value::NIL)
    }

    /// Hands a finished warning line to `Warning.warn`.
    pub fn warn_raw(&mut self, text: &str) -> Result<()> {
        let text = Str::utf8(self, text).value();
        match self.warning_module() {
            Some(warning) => {
                let name = self.names().warn;
                self.call(warning, name, &[text]).map(drop)
            }
            None => Ok(()),
        }
    }

    fn warning_module(&self) -> Option<Value> {
        let object = self.classes().object.class();
        object.own_const(self, self.intern("Warning")).map(|e| e.value).filter(|v| v.has_tag(Tag::Module))
    }
}
