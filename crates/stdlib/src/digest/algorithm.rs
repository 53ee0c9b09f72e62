//! The functions themselves, behind one face. Knows nothing of the VM.

use md5::Md5;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha384, Sha512};

/// A function and what it has taken in.
#[derive(Clone)]
pub enum Algorithm {
    Md5(Md5),
    Sha1(Sha1),
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
    Rmd160(Ripemd160),
}

macro_rules! each {
    ($self:expr, $state:ident => $body:expr) => {
        match $self {
            Algorithm::Md5($state) => $body,
            Algorithm::Sha1($state) => $body,
            Algorithm::Sha256($state) => $body,
            Algorithm::Sha384($state) => $body,
            Algorithm::Sha512($state) => $body,
            Algorithm::Rmd160($state) => $body,
        }
    };
}

impl Algorithm {
    pub fn update(&mut self, bytes: &[u8]) {
        each!(self, state => state.update(bytes));
    }

    /// The digest; the state begins anew.
    pub fn finish(&mut self) -> Vec<u8> {
        each!(self, state => state.finalize_reset().to_vec())
    }

    pub fn reset(&mut self) {
        each!(self, state => Digest::reset(state));
    }

    /// Bytes of a digest.
    pub fn digest_length(&self) -> usize {
        match self {
            Algorithm::Md5(_) => 16,
            Algorithm::Sha1(_) | Algorithm::Rmd160(_) => 20,
            Algorithm::Sha256(_) => 32,
            Algorithm::Sha384(_) => 48,
            Algorithm::Sha512(_) => 64,
        }
    }

    /// Bytes of a block.
    pub fn block_length(&self) -> usize {
        match self {
            Algorithm::Sha384(_) | Algorithm::Sha512(_) => 128,
            _ => 64,
        }
    }

    /// Whether both are the same function.
    pub fn is_like(&self, other: &Algorithm) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}
