//! The machine's time as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment in UTC as records write it, `YYYY-MM-DDTHH:MM:SSZ`; moments before 1970 are taken for its beginning.
pub fn date_text(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    agon_core::text::date_text(seconds)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agon_records::Record;

    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar_and_records_read_them() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_794_766_800, "2026-11-15T18:20:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let date = date_text(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(date, text);
            let record = format!("agon: 1\ngame: loa\noptions:\ndate: {date}\n\n");
            assert_eq!(Record::parse(record.as_bytes()).map(|record| record.date), Ok(Some(date)));
        }
    }
}
