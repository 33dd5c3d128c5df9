//! Just enough JSON for the referee's messages: the values of an object's keys.

/// The value of a key of an object, as it is written.
pub fn value<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = object.trim_start().strip_prefix('{')?;
    loop {
        let (name, after) = split(rest.trim_start_matches([' ', ',']))?;
        let (value, after) = split(after.trim_start_matches([' ', ':']))?;
        if name.trim_matches('"') == key {
            return Some(value);
        }
        rest = after;
    }
}

/// The value of a key, if it is a text. (The referee's texts have nothing in them that would have to be unescaped.)
pub fn text<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    value(object, key)?.strip_prefix('"')?.strip_suffix('"')
}

/// The value of a key that is a list of texts.
pub fn texts(object: &str, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = value(object, key).unwrap_or_default().trim_start_matches('[');
    while let Some((item, after)) = split(rest.trim_start_matches([' ', ','])) {
        found.push(item.trim_matches('"').to_owned());
        rest = after;
    }
    found
}

/// The first value of a text, and what comes after it.
fn split(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (index, byte) in text.bytes().enumerate() {
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
        } else {
            match byte {
                b'"' => quoted = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b',' | b':' | b' ' | b'}' | b']' if depth == 0 => {
                    return (index > 0).then(|| text.split_at(index));
                }
                _ => {}
            }
        }
    }
    None
}
