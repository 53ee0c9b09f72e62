//! Complex: layout. Two real numbers; never changed.

use super::handle::{handle, layout};
use crate::ctx::{Ctx, header};
use rubellite_value::{Header, Tag, Value, flags};

/// The cell of a complex number. 32 bytes.
#[repr(C)]
pub struct RComplex {
    header: Header,
    real: Value,
    imag: Value,
}

layout!(RComplex, Tag::Complex);

handle! {
    /// A Complex.
    Complex "Complex": RComplex, Tag::Complex
}

impl RComplex {
    pub(crate) fn trace<F: FnMut(Value)>(&self, mut visit: F) {
        visit(self.real);
        visit(self.imag);
    }
}

impl Complex {
    /// A new Complex of two real numbers.
    pub fn new(ctx: &mut Ctx, real: Value, imag: Value) -> Complex {
        let header = header(Tag::Complex, ctx.classes().complex.get());
        header.set(flags::FROZEN);
        Complex(ctx.alloc(RComplex { header, real, imag }))
    }

    #[inline]
    pub fn real(self) -> Value {
        self.raw().real
    }

    #[inline]
    pub fn imag(self) -> Value {
        self.raw().imag
    }
}
