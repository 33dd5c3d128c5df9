//! JSON for messages that are written thousands of times a second.
//!
//! Most of a message is names of fields, and serde_json looks at every byte of them to see whether it needs escaping. Writing messages took two
//! fifths of the instructions of a busy server outside the kernel, half of them for that. Names of fields and variants are ours, so they are copied
//! as they are here. Whatever is rare, such as numbers with a fraction or text that needs escaping, is left to serde_json, and the result is the
//! same text.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

/// Appends `value` to `out` as JSON.
///
/// # Errors
/// If it cannot be written as JSON; what has been appended until then is of no use.
pub(crate) fn write<T: Serialize + ?Sized>(out: &mut String, value: &T) -> Result<(), Error> {
    value.serialize(Writer { out })
}

struct Writer<'a> {
    out: &'a mut String,
}

impl Writer<'_> {
    /// Text that is known to need no escaping.
    #[inline]
    fn plain(self, text: &str) {
        self.out.push('"');
        self.out.push_str(text);
        self.out.push('"');
    }

    fn rare<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.out.push_str(&serde_json::to_string(value)?);
        Ok(())
    }

    fn number(self, number: u64) -> Result<(), Error> {
        match u8::try_from(number) {
            Ok(small) if small < 10 => self.out.push(char::from(b'0' + small)),
            Ok(small) if small < 100 => {
                self.out.push(char::from(b'0' + small / 10));
                self.out.push(char::from(b'0' + small % 10));
            }
            _ => return self.rare(&number),
        }
        Ok(())
    }
}

/// Whether JSON can say a text without escaping anything. Without branches, so that many bytes are looked at together.
fn is_plain(text: &str) -> bool {
    !text.bytes().fold(false, |found, byte| found | (byte < 0x20) | (byte == b'"') | (byte == b'\\'))
}

/// A list or an object of which a part has been written.
struct Compound<'a> {
    out: &'a mut String,
    /// Whether nothing has been written into it.
    is_empty: bool,
    /// What closes it.
    end: &'static str,
}

impl<'a> Compound<'a> {
    fn open(out: &'a mut String, start: char, end: &'static str) -> Self {
        out.push(start);
        Self { out, is_empty: true, end }
    }

    /// An object with the name of a variant in it, and the object or list of its fields.
    fn open_variant(out: &'a mut String, variant: &str, start: char, end: &'static str) -> Self {
        out.push('{');
        Writer { out }.plain(variant);
        out.push(':');
        Self::open(out, start, end)
    }

    fn separate(&mut self) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate();
        write(self.out, value)
    }

    // With its name known where this is called, a field is little more than one copy.
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.separate();
        Writer { out: self.out }.plain(name);
        self.out.push(':');
        write(self.out, value)
    }

    fn close(self) -> Result<(), Error> {
        self.out.push_str(self.end);
        Ok(())
    }
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.out.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.rare(&value)
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        self.rare(&value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.number(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.number(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.number(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        self.rare(&value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.rare(&value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.rare(&value)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.rare(&value)
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        if !is_plain(value) {
            return self.rare(value);
        }
        self.plain(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.plain(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = Compound::open(self.out, '{', "}");
        object.field(variant, value)?;
        object.close()
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Compound<'a>, Error> {
        Ok(Compound::open(self.out, '[', "]"))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Compound<'a>, Error> {
        Ok(Compound::open(self.out, '[', "]"))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Compound<'a>, Error> {
        Ok(Compound::open(self.out, '[', "]"))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>, Error> {
        Ok(Compound::open_variant(self.out, variant, '[', "]}"))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Compound<'a>, Error> {
        Ok(Compound::open(self.out, '{', "}"))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Compound<'a>, Error> {
        Ok(Compound::open(self.out, '{', "}"))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>, Error> {
        Ok(Compound::open_variant(self.out, variant, '{', "}}"))
    }
}

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        let start = self.out.len();
        write(self.out, key)?;
        match self.out.as_bytes().get(start) {
            Some(b'"') => {}
            None | Some(b'{' | b'[' | b'n') => return Err(Error::custom("a key must be a string")),
            // A number or a truth value.
            Some(_) => {
                self.out.insert(start, '"');
                self.out.push('"');
            }
        }
        self.out.push(':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        write(self.out, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

/// The traits that differ only in how they call the same thing.
macro_rules! compounds {
    ($($of:ident $method:ident $call:ident($($name:ident: $type:ty),*);)*) => {$(
        impl $of for Compound<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, $($name: $type,)* value: &T) -> Result<(), Error> {
                self.$call($($name,)* value)
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        }
    )*};
}

compounds! {
    SerializeSeq serialize_element element();
    SerializeTuple serialize_element element();
    SerializeTupleStruct serialize_field element();
    SerializeTupleVariant serialize_field element();
    SerializeStruct serialize_field field(name: &'static str);
    SerializeStructVariant serialize_field field(name: &'static str);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::Value;

    use super::*;

    fn text<T: Serialize>(value: &T) -> String {
        let mut out = String::new();
        write(&mut out, value).expect("it can be written");
        out
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..8)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_written_as_serde_json_does(value in values()) {
            prop_assert_eq!(text(&value), value.to_string());
        }
    }

    #[derive(Serialize)]
    enum Shape {
        Unit,
        Newtype(u8),
        Tuple(i8, char),
        Struct { wide: u128, deep: i128 },
    }

    #[derive(Serialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Empty,
        Named { at: (u8, u8) },
        Held(BTreeMap<i32, bool>),
    }

    #[derive(Serialize)]
    struct All {
        shapes: Vec<Shape>,
        tagged: Vec<Tagged>,
        #[serde(flatten)]
        rest: BTreeMap<&'static str, Option<f32>>,
        nothing: (),
        flags: BTreeMap<bool, &'static str>,
    }

    #[test]
    fn all_kinds_of_types_are_written_as_serde_json_does() {
        let all = All {
            shapes: vec![
                Shape::Unit,
                Shape::Newtype(10),
                Shape::Tuple(-9, '"'),
                Shape::Struct { wide: u128::MAX, deep: i128::MIN },
            ],
            tagged: vec![
                Tagged::Empty,
                Tagged::Named { at: (9, 255) },
                Tagged::Held([(-1, true), (12, false)].into()),
            ],
            rest: [("half", Some(0.5)), ("none", None), ("not", Some(f32::NAN))].into(),
            nothing: (),
            flags: [(true, "a\u{1f}b\\"), (false, "ok\u{7f}é")].into(),
        };
        assert_eq!(text(&all), serde_json::to_string(&all).expect("it can be written"));
    }

    #[test]
    fn keys_that_are_no_text_are_refused() {
        let mut out = String::new();
        for key in [Some((1, 2)), None] {
            let error = write(&mut out, &BTreeMap::from([(key, 1)])).expect_err("no key");
            assert!(error.to_string().contains("key must be a string"), "{error}");
        }
    }
}
