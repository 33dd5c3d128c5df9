//! The machine's time as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment in UTC as records write it, `YYYY-MM-DDTHH:MM:SSZ`; moments before 1970 are taken for its beginning.
pub fn date_text(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years from March on, in eras of 400 years of 146,097 days each (Hinnant, "chrono-compatible low-level date algorithms",
    // https://howardhinnant.github.io/date_algorithms.html).
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
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
