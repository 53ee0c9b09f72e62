//! The memory with which a WebAssembly module begins: the active segments of its data section.

/// More than any module that is read here; a segment beyond it is an error.
const SIZE_MAX: usize = 256 << 20;
const DATA_SECTION: u8 = 11;
const I32_CONST: u8 = 0x41;
const END: u8 = 0x0b;

/// The initial memory of a module in WebAssembly's binary format.
///
/// # Errors
/// What is no such module, or has segments whose place is not a constant.
pub fn memory(module: &[u8]) -> Result<Vec<u8>, String> {
    let mut input = Input { bytes: module, at: 0 };
    if input.take(8)? != b"\0asm\x01\0\0\0" {
        return Err("no WebAssembly module".to_string());
    }
    let mut memory = Vec::new();
    while input.at < module.len() {
        let kind = input.byte()?;
        let size = input.number()?;
        let section = input.take(size)?;
        if kind == DATA_SECTION {
            segments(&mut Input { bytes: section, at: 0 }, &mut memory)?;
        }
    }
    Ok(memory)
}

fn segments(input: &mut Input, memory: &mut Vec<u8>) -> Result<(), String> {
    for _ in 0..input.number()? {
        let place = match input.number()? {
            0 => Some(input.offset()?),
            // Passive: only an instruction would put it somewhere.
            1 => None,
            2 => {
                input.number()?;
                Some(input.offset()?)
            }
            other => return Err(format!("a data segment of kind {other}")),
        };
        let size = input.number()?;
        let content = input.take(size)?;
        if let Some(place) = place.filter(|_| size > 0) {
            let end = place.checked_add(size).filter(|end| *end <= SIZE_MAX).ok_or("a data segment out of bounds")?;
            if memory.len() < end {
                memory.resize(end, 0);
            }
            memory[place..end].copy_from_slice(content);
        }
    }
    Ok(())
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, size: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(size).ok_or("the module is cut short")?;
        let taken = self.bytes.get(self.at..end).ok_or("the module is cut short")?;
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// An unsigned number of 32 bits in LEB128.
    fn number(&mut self) -> Result<usize, String> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return usize::try_from(number).map_err(|error| error.to_string());
            }
        }
        Err("a number that is too long".to_string())
    }

    /// The expression `i32.const PLACE`.
    fn offset(&mut self) -> Result<usize, String> {
        if self.byte()? != I32_CONST {
            return Err("a data segment whose place is no constant".to_string());
        }
        let (mut place, mut shift) = (0i64, 0);
        loop {
            let byte = self.byte()?;
            place |= i64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                // The number is signed: the last byte's highest bit is its sign.
                if byte & 0x40 != 0 {
                    place -= 1i64 << shift;
                }
                break;
            }
            if shift >= 35 {
                return Err("a number that is too long".to_string());
            }
        }
        if self.byte()? != END {
            return Err("a data segment whose place is no constant".to_string());
        }
        // Addresses above 2 GiB are written as negative numbers.
        Ok((place & 0xffff_ffff) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn segments_lie_where_they_say() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        // A custom section, then two active segments and a passive one.
        module.extend([0, 2, 1, b'x']);
        let data = [3, 0, 0x41, 2, 0x0b, 2, b'a', b'b', 1, 1, b'p', 0, 0x41, 0xc0, 0x00, 0x0b, 1, b'c'];
        module.extend([11, data.len() as u8]);
        module.extend(data);
        let memory = memory(&module).unwrap();
        assert_eq!((&memory[..4], memory[64], memory.len()), (&b"\0\0ab"[..], b'c', 65));
    }

    #[test]
    fn broken_modules_are_refused() {
        assert!(memory(b"MZ").is_err());
        assert!(memory(b"\0asm\x01\0\0\0\x0b\x05\x01").is_err());
        let far = b"\0asm\x01\0\0\0\x0b\x0b\x01\x00\x41\xff\xff\xff\xff\x7f\x0b\x01a";
        assert!(memory(far).is_err());
    }
}
