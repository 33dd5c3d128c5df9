//! What has happened, in little room: whoever keeps many games in memory, some of them of 20,000 plies, keeps them in this form.
//!
//! Nearly all events are plies, and most of what a ply's [`Event`] takes is room for what it might hold. Here they stand one behind the
//! other in a list of bytes, numbers as long as they need to be. This is no stored form: it lives as long as the match.

use agon_core::{Player, Turn};

use crate::board::PlyNote;
use crate::clock::Millis;
use crate::event::{Event, Played};
use crate::setup::Remark;

/// Plies one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedPlies {
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<u32>,
}

/// A ply with when it was made and what was left on the clocks.
struct TimedPly<'a> {
    at: Millis,
    note: PlyNote<'a>,
    clocks: Vec<Millis>,
}

// What the first byte says besides who moved.
const LATE: u64 = 1;
const HAS_TIME: u64 = 2;
const HAS_REMARK: u64 = 4;
const HAS_CLOCKS: u64 = 8;
/// Who moved, from 1, is this many times as much; 0 is chance.
const MOVER: u64 = 16;

impl PackedPlies {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a ply that was made at a moment that nobody knows.
    pub(crate) fn push(&mut self, note: &PlyNote) {
        self.push_timed(Millis::ZERO, note, &[]);
    }

    /// What is known about a ply; `None` if there are fewer.
    pub(crate) fn note(&self, index: usize) -> Option<PlyNote<'_>> {
        self.get(index).map(|timed| timed.note)
    }

    fn push_timed(&mut self, at: Millis, note: &PlyNote, clocks: &[Millis]) {
        let PlyNote { mover, token, spent, late, remark } = note;
        let mover = match mover {
            Turn::Player(seat) => u64::from(seat.0) + 1,
            Turn::Chance => 0,
        };
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let flags = flag(*late, LATE)
            | flag(spent.is_some(), HAS_TIME)
            | flag(remark.is_some(), HAS_REMARK)
            | flag(!clocks.is_empty(), HAS_CLOCKS);
        let bytes = &mut self.bytes;
        write_number(bytes, flags + MOVER * mover);
        write_number(bytes, at.0);
        write_text(bytes, token);
        if let Some(spent) = spent {
            write_number(bytes, spent.0);
        }
        if let Some(remark) = remark {
            write_remark(bytes, remark);
        }
        if !clocks.is_empty() {
            write_number(bytes, clocks.len() as u64);
            clocks.iter().for_each(|clock| write_number(bytes, clock.0));
        }
        self.ends.push(self.bytes.len() as u32);
    }

    fn get(&self, index: usize) -> Option<TimedPly<'_>> {
        let end = *self.ends.get(index)? as usize;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let mut bytes = Reader(&self.bytes[begin..end]);
        let head = bytes.number();
        let has = |flag: u64| head & flag != 0;
        let mover = match (head / MOVER).checked_sub(1) {
            Some(seat) => Turn::Player(Player(seat as u8)),
            None => Turn::Chance,
        };
        let (at, token) = (Millis(bytes.number()), bytes.text());
        let spent = has(HAS_TIME).then(|| Millis(bytes.number()));
        let remark = has(HAS_REMARK).then(|| bytes.remark());
        let count = if has(HAS_CLOCKS) { bytes.number() } else { 0 };
        let clocks = (0..count).map(|_| Millis(bytes.number())).collect();
        Some(TimedPly { at, note: PlyNote { mover, token, spent, late: has(LATE), remark }, clocks })
    }

    /// Gives back the room that more plies could have taken.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// All that has happened on a board.
#[derive(Debug, Default)]
pub(crate) struct PackedLog {
    /// For each event its index among the plies or, from [`OTHER`] on, among the others.
    entries: Vec<u32>,
    plies: PackedPlies,
    others: Vec<Event>,
}

const OTHER: u32 = 1 << 31;

impl PackedLog {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn push(&mut self, event: Event) {
        match event {
            Event::Played(Played { at, seat, token, spent, clocks, late, remark }) => {
                self.entries.push(self.plies.len() as u32);
                let mover = seat.map_or(Turn::Chance, Turn::Player);
                self.plies.push_timed(
                    at,
                    &PlyNote { mover, token: &token, spent: Some(spent), late, remark },
                    &clocks,
                );
            }
            other => {
                self.entries.push(OTHER + self.others.len() as u32);
                self.others.push(other);
            }
        }
    }

    /// An event; `None` if there are fewer.
    pub(crate) fn get(&self, index: usize) -> Option<Event> {
        let entry = *self.entries.get(index)?;
        match entry.checked_sub(OTHER) {
            Some(other) => self.others.get(other as usize).cloned(),
            None => self.plies.get(entry as usize).map(|TimedPly { at, note, clocks }| {
                let PlyNote { mover, token, spent, late, remark } = note;
                let seat = match mover {
                    Turn::Player(seat) => Some(seat),
                    Turn::Chance => None,
                };
                let (token, spent) = (token.to_owned(), spent.unwrap_or_default());
                Event::Played(Played { at, seat, token, spent, clocks, late, remark })
            }),
        }
    }

    /// What is known about the ply of an event; `None` if it is none.
    pub(crate) fn note(&self, index: usize) -> Option<PlyNote<'_>> {
        self.plies.note(*self.entries.get(index)? as usize)
    }

    /// Gives back the room that more events could have taken.
    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.plies.shrink();
        self.others.shrink_to_fit();
    }
}

/// Writes a number, seven bits to a byte, the lowest first; the highest bit says that more follow.
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    write_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

// What the first byte of a remark says.
const HAS_SCORE: u64 = 1;
const HAS_DEPTH: u64 = 2;
const HAS_NODES: u64 = 4;
/// The length of the expected line is this many times as much.
const LINE: u64 = 8;

fn write_remark(bytes: &mut Vec<u8>, remark: &Remark) {
    let Remark { score, depth, nodes, line } = remark;
    let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
    let flags = flag(score.is_some(), HAS_SCORE)
        | flag(depth.is_some(), HAS_DEPTH)
        | flag(nodes.is_some(), HAS_NODES);
    write_number(bytes, flags + LINE * line.len() as u64);
    if let Some(score) = score {
        bytes.extend_from_slice(&score.to_le_bytes());
    }
    depth.iter().for_each(|depth| write_number(bytes, u64::from(*depth)));
    nodes.iter().for_each(|nodes| write_number(bytes, *nodes));
    line.iter().for_each(|token| write_text(bytes, token));
}

/// Reads what was written here, in the same order.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> u64 {
        let count = self.0.iter().take_while(|byte| **byte >= 0x80).count() + 1;
        let bytes = self.take(count).iter().rev();
        bytes.fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f))
    }

    fn text(&mut self) -> &'a str {
        let count = self.number() as usize;
        std::str::from_utf8(self.take(count)).unwrap_or_default()
    }

    fn remark(&mut self) -> Remark {
        let head = self.number();
        let has = |flag: u64| head & flag != 0;
        Remark {
            score: has(HAS_SCORE)
                .then(|| self.take(8).try_into().map_or(0.0, |bytes: [u8; 8]| f64::from_le_bytes(bytes))),
            depth: has(HAS_DEPTH).then(|| self.number() as u32),
            nodes: has(HAS_NODES).then(|| self.number()),
            line: (0..head / LINE).map(|_| self.text().to_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events that have everything, nothing, and the largest numbers.
    fn events() -> Vec<Event> {
        let remark = |score: f64, line: &[&str]| Remark {
            score: Some(score),
            depth: Some(u32::MAX),
            nodes: Some(1 << 40),
            line: line.iter().map(|token| (*token).to_owned()).collect(),
        };
        let played = |at: u64, seat: Option<u8>, token: &str| Played {
            at: Millis(at),
            seat: seat.map(Player),
            token: token.to_owned(),
            spent: Millis(at / 3),
            clocks: Vec::new(),
            late: false,
            remark: None,
        };
        vec![
            Event::Played(played(0, Some(0), "")),
            Event::Played(played(127, None, "@2,1=2")),
            Event::Paused { at: Millis(128) },
            Event::Played(Played {
                clocks: vec![Millis(0), Millis(u64::MAX), Millis(300)],
                late: true,
                remark: Some(remark(-0.125, &["d3", "pass", "ü"])),
                ..played(u64::MAX, Some(5), "a1-b2")
            }),
            Event::Resumed { at: Millis(129) },
            Event::Played(Played {
                remark: Some(Remark::default()),
                ..played(1 << 33, Some(1), &"x".repeat(200))
            }),
            Event::Played(Played { remark: Some(remark(1e300, &[])), ..played(16_384, Some(0), "d3") }),
        ]
    }

    #[test]
    fn what_was_packed_comes_out_as_it_was() {
        let mut log = PackedLog::default();
        for event in events() {
            log.push(event);
        }
        log.shrink();
        let unpacked: Vec<Event> = (0..log.len()).filter_map(|index| log.get(index)).collect();
        assert_eq!(unpacked, events());
        assert_eq!(log.get(events().len()), None);
        for (index, event) in events().iter().enumerate() {
            let note = log.note(index);
            match event {
                Event::Played(played) => {
                    let note = note.expect("a ply");
                    assert_eq!((note.token, note.spent), (played.token.as_str(), Some(played.spent)));
                    assert_eq!((note.late, &note.remark), (played.late, &played.remark));
                }
                _ => assert_eq!(note, None),
            }
        }
    }

    #[test]
    fn a_ply_without_remarks_takes_hardly_more_room_than_its_text() {
        let mut log = PackedLog::default();
        for index in 0..1000 {
            let token = if index % 2 == 0 { "left" } else { "@2,1=2" };
            let seat = (index % 2 == 0).then_some(Player(0));
            log.push(Event::Played(Played {
                at: Millis(index * 500),
                seat,
                token: token.to_owned(),
                spent: Millis(500),
                clocks: Vec::new(),
                late: false,
                remark: None,
            }));
        }
        assert!(log.plies.bytes.len() < 12 * 1000, "{}", log.plies.bytes.len());
    }
}
