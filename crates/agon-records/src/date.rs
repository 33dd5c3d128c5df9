//! Moments as records write them.

/// Whether `text` is a moment in UTC, `YYYY-MM-DDTHH:MM:SSZ`, on a day that exists.
pub(crate) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pattern = b"0000-00-00T00:00:00Z";
    let matches = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    if bytes.len() != pattern.len() || !bytes.iter().zip(pattern).all(matches) {
        return false;
    }
    let part = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap_or(u32::MAX);
    let (year, month, day) = (part(0, 4), part(5, 7), part(8, 10));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day) && part(11, 13) < 24 && part(14, 16) < 60 && part(17, 19) < 60
}
