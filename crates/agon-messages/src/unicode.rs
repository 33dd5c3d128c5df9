//! What Unicode says about characters that people type. In a tab, where nobody but its user sees a name, text stays as it was typed.

#[cfg(not(target_family = "wasm"))]
mod tables {
    use unicode_normalization::UnicodeNormalization;
    pub(crate) use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

    /// Normalisation form C.
    pub(crate) fn composed(text: &str) -> String {
        text.nfc().collect()
    }

    /// The same for all that looks alike.
    pub(crate) fn skeleton(text: &str) -> impl Iterator<Item = char> {
        unicode_security::confusable_detection::skeleton(text)
    }
}

#[cfg(target_family = "wasm")]
mod tables {
    pub(crate) fn canonical_combining_class(_char: char) -> u8 {
        0
    }

    pub(crate) fn is_combining_mark(_char: char) -> bool {
        false
    }

    pub(crate) fn composed(text: &str) -> String {
        text.to_owned()
    }

    pub(crate) fn skeleton(text: &str) -> impl Iterator<Item = char> {
        text.chars()
    }
}

pub(crate) use tables::{canonical_combining_class, composed, is_combining_mark, skeleton};
