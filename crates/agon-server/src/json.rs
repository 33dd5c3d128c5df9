//! JSON, written quickly.
//!
//! Messages are most of what the server does for a move, and most of a message are names of fields. `serde_json` looks at every letter of
//! these for something to escape; here they are copied, since names that the compiler knows hold nothing of the kind.

use std::fmt::Display;
use std::io::Write as _;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

/// Writes `value` behind what is in `out`.
///
/// # Errors
/// If a map has keys that are not text.
pub(crate) fn write(out: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Error> {
    value.serialize(&mut Json(out))
}

struct Json<'a>(&'a mut Vec<u8>);

/// An object or an array that is being written.
struct Open<'a, 'b> {
    json: &'b mut Json<'a>,
    is_empty: bool,
    /// What ends it.
    end: &'static [u8],
}

impl<'a> Json<'a> {
    fn put(&mut self, text: &[u8]) -> Result<(), Error> {
        self.0.extend_from_slice(text);
        Ok(())
    }

    fn put_display(&mut self, value: impl Display) -> Result<(), Error> {
        write!(self.0, "{value}").map_err(Error::io)
    }

    fn put_unsigned(&mut self, mut value: u64) -> Result<(), Error> {
        let mut digits = [0; 20];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                return self.put(&digits[first..]);
            }
        }
    }

    fn put_name(&mut self, name: &'static str) -> Result<(), Error> {
        debug_assert!(is_plain(name), "{name:?} would have to be escaped");
        self.0.push(b'"');
        self.0.extend_from_slice(name.as_bytes());
        self.put(b"\":")
    }

    fn open(&mut self, start: &[u8], end: &'static [u8]) -> Open<'a, '_> {
        self.0.extend_from_slice(start);
        Open { json: self, is_empty: true, end }
    }

    /// An object with a single field.
    fn open_variant(
        &mut self,
        name: &'static str,
        start: u8,
        end: &'static [u8],
    ) -> Result<Open<'a, '_>, Error> {
        self.0.push(b'{');
        self.put_name(name)?;
        Ok(self.open(&[start], end))
    }
}

impl Open<'_, '_> {
    fn separate(&mut self) {
        if !self.is_empty {
            self.json.0.push(b',');
        }
        self.is_empty = false;
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate();
        value.serialize(&mut *self.json)
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.separate();
        self.json.put_name(name)?;
        value.serialize(&mut *self.json)
    }

    fn close(self) -> Result<(), Error> {
        self.json.put(self.end)
    }
}

/// Whether nothing in `text` has to be escaped.
fn is_plain(text: &str) -> bool {
    !text.bytes().fold(false, |found, byte| found | (byte < b' ') | (byte == b'"') | (byte == b'\\'))
}

impl<'a, 'b> Serializer for &'b mut Json<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Open<'a, 'b>;
    type SerializeTuple = Open<'a, 'b>;
    type SerializeTupleStruct = Open<'a, 'b>;
    type SerializeTupleVariant = Open<'a, 'b>;
    type SerializeMap = Open<'a, 'b>;
    type SerializeStruct = Open<'a, 'b>;
    type SerializeStructVariant = Open<'a, 'b>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.put(if value { b"true" } else { b"false" })
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
        if value < 0 {
            self.0.push(b'-');
        }
        self.put_unsigned(value.unsigned_abs())
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.put_unsigned(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.put_unsigned(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.put_unsigned(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.put_unsigned(value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        if value.is_finite() { self.put_display(value) } else { self.serialize_unit() }
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        if !is_plain(text) {
            return serde_json::to_writer(&mut *self.0, text);
        }
        self.0.push(b'"');
        self.0.extend_from_slice(text.as_bytes());
        self.put(b"\"")
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.put(b"null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = self.open(b"{", b"}");
        object.field(variant, value)?;
        object.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'a, 'b>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'a, 'b>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'a, 'b>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'a, 'b>, Error> {
        self.open_variant(variant, b'[', b"]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'a, 'b>, Error> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open<'a, 'b>, Error> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'a, 'b>, Error> {
        self.open_variant(variant, b'{', b"}}")
    }
}

impl SerializeMap for Open<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        let start = self.json.0.len();
        key.serialize(&mut *self.json)?;
        if self.json.0.get(start) != Some(&b'"') {
            return Err(Error::custom("the key of a map is not text"));
        }
        self.json.put(b":")
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.json)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

/// What is a list of fields or elements to serde, in all its varieties.
macro_rules! lists {
    ($($list:ident::$method:ident($($name:ident)?)),*) => {$(
        impl $list for Open<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, $($name: &'static str,)? value: &T) -> Result<(), Error> {
                lists!(@ self value $($name)?)
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        }
    )*};
    (@ $open:ident $value:ident) => { $open.element($value) };
    (@ $open:ident $value:ident $name:ident) => { $open.field($name, $value) };
}

lists! {
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(name),
    SerializeStructVariant::serialize_field(name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;

    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(i8),
        Tuple(u8, char),
        Struct { field: Option<bool> },
    }

    #[derive(Serialize)]
    struct All {
        texts: Vec<&'static str>,
        numbers: (i64, u64, f64, f32, i32),
        nothing: Option<()>,
        kinds: [Kind; 4],
        map: BTreeMap<String, Vec<u8>>,
        empty: [u8; 0],
    }

    fn written(value: &impl Serialize) -> String {
        let mut out = Vec::new();
        write(&mut out, value).expect("it can be written");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn it_is_what_serde_json_writes() {
        let all = All {
            texts: vec!["", "plain", "a \"quote\"", "back\\slash", "line\nbreak\u{1}", "שלום 😀"],
            numbers: (i64::MIN, u64::MAX, -0.5, 3.25, 0),
            nothing: None,
            kinds: [Kind::Unit, Kind::Newtype(-7), Kind::Tuple(9, '"'), Kind::Struct { field: Some(true) }],
            map: [("a\"b".to_owned(), vec![1, 2]), (String::new(), Vec::new())].into(),
            empty: [],
        };
        assert_eq!(written(&all), serde_json::to_string(&all).expect("JSON"));
        for number in [f64::NAN, f64::INFINITY] {
            assert_eq!(written(&number), "null");
        }
        for number in [1e300, 5e-324, 0.1, 123_456.0] {
            assert_eq!(serde_json::from_str::<f64>(&written(&number)).expect("a number"), number);
        }
        assert!(write(&mut Vec::new(), &BTreeMap::from([(1, 2)])).is_err(), "keys are text");
    }

    #[test]
    fn tables_of_every_game_are_written_as_serde_json_does() {
        for entry in agon_registry::GAMES {
            let rules = entry.rules("").expect("the defaults hold");
            let info = crate::catalogue::game_info(entry, &rules);
            let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
            assert_eq!(
                read(&written(&info)),
                read(&serde_json::to_string(&info).expect("JSON")),
                "{}",
                info.game
            );
        }
    }
}
