//! A game that is to be played, as a value: whoever plays it, on whatever machine, plays the same game.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use agon_erased::{Games, Rules, SetupError};
use agon_match::{Late, Millis, Occupant, Seat, TimeControl};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::openings::{Opening, opening};

/// A game that is to be played: everything that decides it.
///
/// A job names its players but does not say how to find them: a program's command is what its tournament file has, and the machine that
/// plays the job knows where its files are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The game, by its id.
    pub game: String,
    /// Every option, in the order of declaration.
    pub options: String,
    /// Where the game begins.
    pub opening: JobOpening,
    /// Who plays, in turn order. In a game for one, several players play one after the other with the same luck.
    pub players: Vec<JobPlayer>,
    /// What lateness costs.
    pub late: Late,
    /// What it costs a program to print anything but its answers: nothing but a warning, or the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tolerates_printing: bool,
    /// After so many plies the game is left unfinished.
    pub max_plies: usize,
    /// Decides the luck, and random openings.
    #[serde(with = "seed")]
    pub luck_seed: u64,
    /// Decides the randomness of the players.
    #[serde(with = "seed")]
    pub player_seed: u64,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobOpening {
    /// At a position, after moves from there.
    At(Opening),
    /// After so many random plies, which the luck seed decides.
    Random(usize),
}

/// Who plays a seat of a job, and under which limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobPlayer {
    /// What it is called.
    pub name: String,
    /// Who plays: a bot with its parameters, a program or a person.
    pub plays: Occupant,
    /// Which side it belongs to: in games of many seats, a side may have several.
    pub side: usize,
    /// Time for moves.
    pub time: TimeControl,
    /// What a program is granted besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<ProgramLimits>,
}

/// What a program is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramLimits {
    /// Time to get ready.
    pub setup: Millis,
    /// Memory in bytes.
    pub memory: u64,
    /// Threads.
    pub threads: u32,
}

impl JobPlayer {
    /// A bot or program of a side that is called like its specification and thinks as long as it likes.
    pub fn of(plays: Occupant, side: usize) -> Self {
        Self { name: plays.to_string(), plays, side, time: TimeControl::None, limits: None }
    }

    pub(crate) fn seat(&self) -> Seat {
        Seat { name: self.name.clone(), ..Seat::of(self.plays.clone()) }
    }
}

impl Job {
    /// The name of the job: the SHA-256 hash of its JSON, which has no white space, and its fields in the order of declaration. Fields that
    /// later versions add are left out of it where they say nothing new, so that old jobs keep their names.
    pub fn hash(&self) -> JobHash {
        // Writing to memory cannot fail, and a job has no maps with keys that are no text.
        let json = serde_json::to_vec(self).unwrap_or_default();
        JobHash(Sha256::digest(json).into())
    }

    /// The rules of the game, which is one of `games`.
    ///
    /// # Errors
    /// If there is no such game, or its options do not hold.
    pub fn rules(&self, games: Games) -> Result<Arc<dyn Rules>, SetupError> {
        games.rules(&self.game, &self.options)
    }

    /// Where the game begins, by its rules.
    pub(crate) fn opening(&self, rules: &dyn Rules) -> Opening {
        match &self.opening {
            JobOpening::At(opening) => opening.clone(),
            JobOpening::Random(plies) => {
                Opening { position: None, moves: opening(rules, *plies, self.luck_seed) }
            }
        }
    }
}

/// What a job is called: its content decides it. As text it is 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobHash([u8; 32]);

/// A text that is not the hash of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hash of a job is 64 digits of 0-9 and a-f")]
pub struct JobHashError;

impl fmt::Display for JobHash {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for JobHash {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "JobHash({self})")
    }
}

impl From<JobHash> for String {
    fn from(hash: JobHash) -> Self {
        hash.to_string()
    }
}

impl FromStr for JobHash {
    type Err = JobHashError;

    fn from_str(text: &str) -> Result<Self, JobHashError> {
        let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
        if text.len() != 64 || !text.as_bytes().iter().all(is_digit) {
            return Err(JobHashError);
        }
        let mut hash = [0; 32];
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
            let value = |digit: u8| (digit as char).to_digit(16).unwrap_or(0) as u8;
            *byte = 16 * value(digits[0]) + value(digits[1]);
        }
        Ok(Self(hash))
    }
}

impl TryFrom<String> for JobHash {
    type Error = JobHashError;

    fn try_from(text: String) -> Result<Self, JobHashError> {
        text.parse()
    }
}

/// Seeds are written as text: not every reader of JSON keeps 64 bits of a number.
mod seed {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let player = |text: &str, side| JobPlayer::of(text.parse().expect("a player"), side);
        Job {
            game: "othello".to_owned(),
            options: "size=6".to_owned(),
            opening: JobOpening::Random(4),
            players: vec![player("expert:nodes=200", 0), player("greedy", 1)],
            late: Late::Loses,
            tolerates_printing: false,
            max_plies: 10_000,
            luck_seed: u64::MAX,
            player_seed: 7,
        }
    }

    /// Results on disk and on other machines carry this name: it never changes.
    #[test]
    fn a_job_keeps_its_name() {
        let text = serde_json::to_string(&job()).expect("JSON");
        assert_eq!(
            text,
            concat!(
                r#"{"game":"othello","options":"size=6","opening":{"random":4},"players":["#,
                r#"{"name":"expert:nodes=200","plays":"expert:nodes=200","side":0,"time":"none"},"#,
                r#"{"name":"greedy","plays":"greedy","side":1,"time":"none"}],"#,
                r#""late":"loses","max_plies":10000,"luck_seed":"18446744073709551615","player_seed":"7"}"#
            )
        );
        let hash = job().hash();
        assert_eq!(hash.to_string(), "410bb64131c5b904935a1eb5e4b6a6c9abc1f11acb681591d4d8c24d32b9c517");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(serde_json::from_str::<Job>(&text).expect("a job").hash(), hash);
    }

    #[test]
    fn whatever_decides_a_game_is_part_of_its_name() {
        let limits = Some(ProgramLimits { setup: Millis(10), memory: 1, threads: 1 });
        let changes: [fn(&mut Job); 9] = [
            |job| job.game = "loa".to_owned(),
            |job| job.options = "size=8".to_owned(),
            |job| job.opening = JobOpening::At(Opening::default()),
            |job| job.players.swap(0, 1),
            |job| job.late = Late::Counted,
            |job| job.tolerates_printing = true,
            |job| job.max_plies = 9,
            |job| job.luck_seed = 1,
            |job| job.player_seed = 8,
        ];
        let mut hashes: Vec<JobHash> = changes
            .iter()
            .map(|change| {
                let mut job = job();
                change(&mut job);
                job.hash()
            })
            .collect();
        let mut other = job();
        other.players[0].limits = limits;
        hashes.extend([job().hash(), other.hash()]);
        let different: std::collections::HashSet<JobHash> = hashes.iter().copied().collect();
        assert_eq!(different.len(), hashes.len());
    }

    #[test]
    fn other_texts_are_no_hashes() {
        for text in ["", "00", &"g".repeat(64), &"A".repeat(64), &"é".repeat(32)] {
            assert_eq!(text.parse::<JobHash>(), Err(JobHashError), "{text}");
        }
    }
}
