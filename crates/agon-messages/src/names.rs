//! Names and lines that people type: what may stand in them, and when two names are too much alike.

use agon_protocol::web::RefusalCode;
use agon_protocol::web::online::{MAX_CHAT, MAX_NAME};

use crate::Refused;
use crate::unicode::{canonical_combining_class, composed, is_combining_mark, skeleton};

/// The most bytes of a name or a line that are looked at; longer input is refused before it is normalised.
const MAX_INPUT: usize = 4096;

/// A name as it is kept: in Unicode normalisation form C, without spaces around it.
///
/// # Errors
/// If it does not have 1 to 24 characters, or holds some that cannot be seen or that turn the text around them.
pub fn name(text: &str) -> Result<String, Refused> {
    let name = clean(text, MAX_NAME).ok_or_else(bad_name)?;
    if name.starts_with(is_combining_mark) { Err(bad_name()) } else { Ok(name) }
}

/// A name that is empty, too long or cannot be shown.
pub fn bad_name() -> Refused {
    let most = ("n", (MAX_NAME as u64).into());
    Refused::new(RefusalCode::Invalid, "refused.name", [most]).about("name")
}

/// A line of chat as it is kept.
///
/// # Errors
/// If it does not have 1 to 300 characters, or holds some that cannot be seen or that turn the text around them.
pub fn line(text: &str) -> Result<String, Refused> {
    let most = ("n", (MAX_CHAT as u64).into());
    clean(text, MAX_CHAT)
        .ok_or_else(|| Refused::new(RefusalCode::Invalid, "refused.chat", [most]).about("text"))
}

/// The text in normalisation form C with single spaces; `None` if nothing is left, it is too long, or it may not be shown.
fn clean(text: &str, most: usize) -> Option<String> {
    if text.len() > MAX_INPUT || text.contains(is_hidden) {
        return None;
    }
    let words: Vec<String> = text.split_whitespace().map(composed).collect();
    let cleaned = words.join(" ");
    let fits = (1..=most).contains(&cleaned.chars().count()) && has_useful_joiners(&cleaned);
    fits.then_some(cleaned)
}

/// Keeps letters apart that would join.
const NON_JOINER: char = '\u{200c}';
/// Joins what would be apart.
const JOINER: char = '\u{200d}';

/// Whether every joiner stands where the script needs it: in words of Arabic script (Persian is full of them), in scripts of India behind
/// the sign that mutes a vowel, or between the parts of an emoji. Elsewhere it cannot be seen.
fn has_useful_joiners(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    (0..chars.len()).filter(|&at| is_joiner(chars[at])).all(|at| {
        let (before, after) = (&chars[..at], &chars[at + 1..]);
        let Some((&last, &next)) = before.last().zip(after.first()) else { return false };
        let last_letter = before.iter().rfind(|char| !is_combining_mark(**char));
        let mutes_vowel = canonical_combining_class(last) == VIRAMA;
        let is_in_word =
            last_letter.is_some_and(|letter| is_joining_letter(*letter)) && is_joining_letter(next);
        let is_in_emoji = last_letter.is_some_and(|char| is_emoji(*char)) && is_emoji(next);
        mutes_vowel || if chars[at] == NON_JOINER { is_in_word } else { is_in_emoji }
    })
}

/// The combining class of signs that mute a vowel.
const VIRAMA: u8 = 9;

fn is_joiner(char: char) -> bool {
    matches!(char, NON_JOINER | JOINER)
}

/// Letters of Arabic and Syriac.
fn is_joining_letter(char: char) -> bool {
    let is_of_script = matches!(char, '\u{600}'..='\u{77f}' | '\u{860}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    is_of_script && char.is_alphabetic() && !is_combining_mark(char)
}

/// Signs that emoji are put together from.
fn is_emoji(char: char) -> bool {
    matches!(char, '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b55}' | '\u{1f000}'..='\u{1faff}')
}

/// Characters that cannot be seen, look like nothing, or change the direction of the text around them; joiners are looked at apart.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

/// What names look like: names of which either form is the same are taken for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looks {
    /// With look-alikes replaced first: `Ivan` and `lvan` are the same.
    replaced: String,
    /// With case folded first: `Ivan` and `ivan` are the same.
    folded: String,
}

impl Looks {
    /// How a name looks.
    pub fn of(name: &str) -> Self {
        let seen = |text: &str| -> String {
            skeleton(text)
                .filter(|char| !char.is_whitespace() && *char != '\u{fe0f}' && !is_joiner(*char))
                .collect()
        };
        Self { replaced: fold(&seen(name)), folded: seen(&fold(name)) }
    }

    /// Whether one could be taken for the other.
    pub fn resemble(&self, other: &Self) -> bool {
        self.replaced == other.replaced || self.folded == other.folded
    }
}

/// Folds case fully: the capitals of `ß` are `SS`.
fn fold(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// `name`, or the first of `name 2`, `name 3` … that resembles none of those that are taken.
pub fn free<'a>(name: &str, taken: impl Iterator<Item = &'a Looks> + Clone) -> String {
    let is_free = |name: &str| {
        let looks = Looks::of(name);
        !taken.clone().any(|known| known.resemble(&looks))
    };
    if is_free(name) {
        return name.to_owned();
    }
    let numbered = |number: u32| {
        let end = format!(" {number}");
        let kept = MAX_NAME - end.chars().count();
        let start: String = name.chars().take(kept).collect();
        format!("{}{end}", start.trim_end())
    };
    (2..=u32::from(u16::MAX)).map(numbered).find(|name| is_free(name)).unwrap_or_else(|| name.to_owned())
}

/// The refusal of a name that is taken, with a free one.
pub fn taken<'a>(name: &str, known: impl Iterator<Item = &'a Looks> + Clone) -> Refused {
    let free = free(name, known);
    Refused::new(RefusalCode::Taken, "refused.name-taken", [("name", free.into())]).about("name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_visible() {
        for (given, kept) in [
            ("Dana", "Dana"),
            ("  Dana   Levi ", "Dana Levi"),
            ("דנה", "דנה"),
            ("e\u{301}va", "éva"),
            ("<b>x</b>", "<b>x</b>"),
            ("🎲", "🎲"),
            (&"x".repeat(24), &"x".repeat(24)),
        ] {
            assert_eq!(name(given).expect(given), kept);
        }
        let long = "x".repeat(10_000);
        let bad = [
            "",
            " ",
            "\t",
            "a\u{0}b",
            "a\nb",
            "\u{202e}abc",
            "a\u{2066}b",
            "a\u{200b}b",
            "a\u{200f}b",
            "\u{301}a",
            "\u{3164}",
            "\u{2800}",
            "a\u{feff}",
            "a\u{e0041}",
            "a\u{e000}",
            "xxxxxxxxxxxxxxxxxxxxxxxxx",
            &long,
        ];
        for bad in bad {
            assert_eq!(name(bad).expect_err(&format!("{bad:.20?}")).code, RefusalCode::Invalid);
        }
        assert_eq!(line(" gut   gespielt! ").expect("a line"), "gut gespielt!");
        for bad in ["", "  ", "a\u{202e}b", "a\u{1b}[2J", &"x".repeat(301), &long] {
            assert!(line(bad).is_err(), "{bad:.20?}");
        }
    }

    #[test]
    fn joiners_stand_where_a_script_needs_them() {
        for good in [
            "علی\u{200c}رضا",
            "می\u{200c}خواهم",
            "نامه\u{200c}ها",
            "👩\u{200d}🚀",
            "🏳\u{fe0f}\u{200d}🌈",
            "👩🏽\u{200d}❤\u{fe0f}\u{200d}👩",
            "क्\u{200d}ष",
            "क्\u{200c}ष",
        ] {
            assert_eq!(name(good).expect(good), good);
            assert!(Looks::of(good).resemble(&Looks::of(&good.replace(is_joiner, ""))), "{good}");
        }
        for bad in [
            "Da\u{200c}na",
            "Da\u{200d}na",
            "\u{200c}علی",
            "علی\u{200c}",
            "علی \u{200c}رضا",
            "علی\u{200c}\u{200c}رضا",
            "علی\u{200d}رضا",
            "👩\u{200d}",
            "👩\u{200d}a",
            "👩\u{200c}🚀",
            "ד\u{200d}נה",
        ] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_that_look_alike_are_the_same() {
        let alike = |one: &str, other: &str| Looks::of(one).resemble(&Looks::of(other));
        for (one, other) in [
            ("Anna", "anna"),
            ("Anna", "Аnnа"),
            ("Ivan", "lvan"),
            ("Ivan", "ivan"),
            ("paypal", "раураl"),
            ("Straße", "STRASSE"),
            ("Dana Levi", "DanaLevi"),
            ("O0O", "OOO"),
            ("rn", "m"),
        ] {
            assert!(alike(one, other), "{one} and {other}");
        }
        for (one, other) in [("Anna", "Hanna"), ("דנה", "דינה"), ("Anna", "Anna 2"), ("a", "b")] {
            assert!(!alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn a_free_name_is_found() {
        let taken: Vec<Looks> = ["Anna", "anna 2"].map(Looks::of).to_vec();
        assert_eq!(free("Benno", taken.iter()), "Benno");
        assert_eq!(free("ANNA", taken.iter()), "ANNA 3");
        let long = "x".repeat(24);
        let numbered = free(&long, [Looks::of(&long)].iter());
        assert_eq!(numbered, format!("{} 2", "x".repeat(22)));
        assert!(name(&numbered).is_ok());
    }
}
