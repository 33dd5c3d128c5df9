//! Lobbies: where people wait for one another before a game.
//!
//! A [`Lobby`] is what is stored: who has taken which seat, and what was agreed on. Every open lobby is a task of its own ([`actor`]),
//! and all of them together are the [`list`] that visitors follow. A lobby becomes a game of the same id.

mod actor;
mod list;

use std::net::IpAddr;
use std::sync::Arc;

use agon_core::Message;
use agon_core::view::Token;
use agon_erased::{Games, Rules};
use agon_files::date_text;
use agon_match::Occupant;
use agon_protocol::web::online::{LobbyInfo, LobbySeat, NewLobby, OPEN, Terms};
use agon_protocol::web::{RefusalCode, TableMode};
use serde::{Deserialize, Serialize};

pub use actor::{LobbyCommand, LobbyHandle, spawn};
pub use list::{Lobbies, LobbyLimits};

use crate::random;
use crate::store::VisitorId;
use agon_messages::Refused;
use agon_messages::names::{self, Looks};
use agon_table::limits::{BotLimits, check_bot};
use agon_table::online::{Participant, Start, check_terms};

/// What people are called in a private lobby who have not said their name; more of them go by numbers.
const UNNAMED: &str = "Guest";

/// How many guests a lobby remembers to have removed, and how many it remembers to be muted.
const REMEMBERED: usize = 100;

/// A lobby as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lobby {
    /// Its id, and that of its game.
    pub id: String,
    /// The key of the link to it.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What is played.
    pub game: String,
    /// With all options.
    pub options: String,
    /// How the boards belong together.
    pub mode: TableMode,
    /// Who has taken which seat; `None` where it is open.
    pub seats: Vec<Option<Participant>>,
    /// Whether players are dealt to the seats at random.
    pub shuffle: bool,
    /// What was agreed on.
    pub terms: Terms,
    /// Whose browser opened it, or has taken it over.
    pub host: VisitorId,
    /// From which address it was opened.
    pub address: IpAddr,
    /// When, in seconds since 1970.
    pub created: u64,
    /// Who was removed and may not come back.
    #[serde(default)]
    pub removed: Vec<VisitorId>,
    /// Who does not want to hear whom.
    #[serde(default)]
    pub muted: Vec<(VisitorId, VisitorId)>,
}

/// What a game calls its seats, and what their pieces look like.
pub type Titles = Vec<(Message, Vec<Token>)>;

/// The seats of a game, one for each board of a race.
pub fn titles(rules: &dyn Rules, mode: TableMode, seats: usize) -> Titles {
    let own = rules.title_messages().into_iter().zip(rules.seat_styles());
    match mode {
        TableMode::Single => own.collect(),
        TableMode::Race | TableMode::InTurn => own.cycle().take(seats).collect(),
    }
}

impl Lobby {
    /// The lobby that a visitor at `address` asks for, and the rules of its game.
    ///
    /// # Errors
    /// If anything about it does not hold. Whether its name is free is not checked here.
    pub fn new(
        games: Games,
        asked: NewLobby,
        host: VisitorId,
        address: IpAddr,
        created: u64,
        limits: &BotLimits,
    ) -> Result<(Self, Arc<dyn Rules>), Refused> {
        let NewLobby { name, player, game, options, mode, seats, shuffle, terms } = asked;
        let rules = agon_requests::catalogue::rules(games, &game, &options)?;
        let mode = mode.unwrap_or(TableMode::Single);
        check_terms(&terms, mode)?;
        // Whoever is sent a link knows whose it is; the list needs names.
        let is_optional = |text: &str| !terms.public && text.trim().is_empty();
        let player = match is_optional(&player) {
            true => UNNAMED.to_owned(),
            false => player,
        };
        let name = match is_optional(&name) {
            true => names::name(&player).map_err(|refused| refused.about("player"))?,
            false => names::name(&name)?,
        };
        let expected = if mode == TableMode::Single { rules.seats().len() } else { seats.len() };
        if seats.len() != expected || mode == TableMode::InTurn {
            let count = ("n", (rules.seats().len() as u64).into());
            return Err(Refused::new(RefusalCode::Invalid, "refused.seats", [count]).about("seats"));
        }
        let terms = Terms { leavers: Some(terms.leavers_among(seats.len())), ..terms };
        let mut lobby = Self {
            id: random::name(),
            key: random::name(),
            name,
            game,
            options: rules.options(),
            mode,
            seats: vec![None; seats.len()],
            shuffle,
            terms,
            host,
            address,
            created,
            removed: Vec::new(),
            muted: Vec::new(),
        };
        for (index, seat) in seats.into_iter().enumerate() {
            if seat.occupant == OPEN {
                continue;
            }
            let occupant = check_bot(&*rules, &seat.occupant, limits)
                .map_err(|refused| refused.about(format!("seats.{index}")))?;
            lobby.seats[index] = Some(match occupant {
                Occupant::Person => {
                    let own = seat.name.filter(|name| !name.trim().is_empty());
                    let name = match own {
                        Some(name) => lobby.free_name(&name)?,
                        // Others at the same screen go by numbers.
                        None => {
                            let name = names::name(&player).map_err(|refused| refused.about("player"))?;
                            let taken = lobby.looks();
                            names::free(&name, taken.iter())
                        }
                    };
                    Participant { name, occupant: Occupant::Person, holder: Some(host), program: false }
                }
                bot => Participant::bot(bot),
            });
        }
        if lobby.is_full() && lobby.people().next().is_none() {
            return Err(Refused::plain(RefusalCode::Invalid, "refused.only-bots").about("seats"));
        }
        lobby.check_start(&rules)?;
        Ok((lobby, rules))
    }

    /// Refuses a lobby whose game could never start: a race of Othello, or one with a hundred boards.
    fn check_start(&self, rules: &Arc<dyn Rules>) -> Result<(), Refused> {
        let mut full = self.clone();
        for seat in &mut full.seats {
            seat.get_or_insert_with(|| Participant {
                name: self.name.clone(),
                occupant: Occupant::Person,
                holder: Some(self.host),
                program: false,
            });
        }
        full.start(Arc::clone(rules)).game(0).map(|_| ()).map_err(|refused| refused.about("seats"))
    }

    /// The lobby as everybody sees it.
    pub fn info(
        &self,
        titles: &Titles,
        spectators: usize,
        is_here: impl Fn(&VisitorId) -> bool,
    ) -> LobbyInfo {
        let seat = |((title, styles), player): (&(Message, Vec<Token>), &Option<Participant>)| LobbySeat {
            title: title.clone(),
            styles: styles.clone(),
            occupant: player.as_ref().map_or_else(|| OPEN.to_owned(), |player| player.occupant.to_string()),
            name: player.as_ref().map(|player| player.name.clone()).unwrap_or_default(),
            program: player.as_ref().is_some_and(|player| player.program),
            host: player.as_ref().is_some_and(|player| player.holder == Some(self.host)),
            here: player.as_ref().is_some_and(|player| player.holder.as_ref().is_none_or(&is_here)),
        };
        LobbyInfo {
            id: self.id.clone(),
            name: self.name.clone(),
            game: self.game.clone(),
            options: self.options.clone(),
            mode: self.mode,
            seats: titles.iter().zip(&self.seats).map(seat).collect(),
            shuffle: self.shuffle,
            terms: self.terms.clone(),
            created: date_text(std::time::UNIX_EPOCH + std::time::Duration::from_secs(self.created)),
            spectators,
        }
    }

    /// The people who have taken seats.
    pub fn people(&self) -> impl Iterator<Item = (usize, &VisitorId, &str)> {
        self.seats.iter().enumerate().filter_map(|(index, player)| {
            let player = player.as_ref()?;
            Some((index, player.holder.as_ref()?, player.name.as_str()))
        })
    }

    /// The seats of a visitor.
    pub fn seats_of(&self, visitor: &VisitorId) -> Vec<usize> {
        self.people().filter(|(_, holder, _)| *holder == visitor).map(|(index, ..)| index).collect()
    }

    /// The name by which a visitor goes here.
    pub fn name_of(&self, visitor: &VisitorId) -> Option<&str> {
        self.people().find(|(_, holder, _)| *holder == visitor).map(|(_, _, name)| name)
    }

    /// Whether every seat is taken.
    pub fn is_full(&self) -> bool {
        self.seats.iter().all(Option::is_some)
    }

    fn looks(&self) -> Vec<Looks> {
        self.seats.iter().flatten().map(|player| Looks::of(&player.name)).collect()
    }

    fn free_name(&self, name: &str) -> Result<String, Refused> {
        let name = names::name(name)?;
        let taken = self.looks();
        let looks = Looks::of(&name);
        if taken.iter().any(|known| known.resemble(&looks)) {
            return Err(names::taken(&name, taken.iter()));
        }
        Ok(name)
    }

    /// Has a visitor take a seat, or change to it.
    ///
    /// # Errors
    /// Why not; nothing has changed then.
    pub fn sit(
        &mut self,
        visitor: VisitorId,
        seat: usize,
        name: &str,
        key: Option<&str>,
        program: bool,
    ) -> Result<(), Refused> {
        let own = self.seats_of(&visitor);
        if self.removed.contains(&visitor) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.removed"));
        }
        let is_known = self.terms.public || visitor == self.host || !own.is_empty();
        if !is_known && key != Some(self.key.as_str()) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.need-link"));
        }
        let wanted =
            self.seats.get(seat).ok_or_else(|| Refused::plain(RefusalCode::Unknown, "refused.seat"))?;
        if let Some(player) = wanted
            && player.holder != Some(visitor)
        {
            let (code, key) = match self.is_full() {
                true => (RefusalCode::Full, "refused.lobby-full"),
                false => (RefusalCode::Taken, "refused.seat-taken"),
            };
            return Err(Refused::plain(code, key).about("seat"));
        }
        let mut next = self.clone();
        // Several people may share the host's screen; guests have one seat each.
        let left = if visitor == self.host && own.len() > 1 { vec![seat] } else { own };
        for index in left {
            next.seats[index] = None;
        }
        let name = match name.trim().is_empty() && !self.terms.public {
            true => names::free(UNNAMED, next.looks().iter()),
            false => next.free_name(name)?,
        };
        next.seats[seat] =
            Some(Participant { name, occupant: Occupant::Person, holder: Some(visitor), program });
        *self = next;
        Ok(())
    }

    /// Has a visitor give up all seats. If it was the host, the first of the others is the host now.
    pub fn leave(&mut self, visitor: &VisitorId) {
        for index in self.seats_of(visitor) {
            self.seats[index] = None;
        }
        if self.host == *visitor {
            let next = self.people().map(|(_, holder, _)| *holder).next();
            self.host = next.unwrap_or(self.host);
        }
    }

    /// Has the host remove a guest, and says who that was.
    ///
    /// # Errors
    /// Why not; nothing has changed then.
    pub fn remove(&mut self, by: &VisitorId, seat: usize) -> Result<(VisitorId, String), Refused> {
        self.check_host(by)?;
        let player = self.seats.get(seat).and_then(Option::as_ref);
        let guest = player.and_then(|player| Some((player.holder?, player.name.clone())));
        let Some((holder, name)) = guest.filter(|(holder, _)| *holder != self.host) else {
            return Err(Refused::plain(RefusalCode::Unknown, "refused.no-guest"));
        };
        self.leave(&holder);
        push_bounded(&mut self.removed, holder);
        Ok((holder, name))
    }

    /// Notes that a visitor does not want to hear another one, or wants to again.
    pub fn mute(&mut self, by: VisitorId, speaker: VisitorId, muted: bool) {
        self.muted.retain(|pair| *pair != (by, speaker));
        if muted {
            push_bounded(&mut self.muted, (by, speaker));
        }
    }

    /// Has the host seat a bot, or open a seat again.
    ///
    /// # Errors
    /// Why not; nothing has changed then.
    pub fn set_seat(
        &mut self,
        by: &VisitorId,
        seat: usize,
        occupant: &str,
        rules: &dyn Rules,
        limits: &BotLimits,
    ) -> Result<(), Refused> {
        self.check_host(by)?;
        let known =
            self.seats.get(seat).ok_or_else(|| Refused::plain(RefusalCode::Unknown, "refused.seat"))?;
        if known.as_ref().is_some_and(|player| player.holder.is_some_and(|holder| holder != self.host)) {
            return Err(Refused::plain(RefusalCode::Taken, "refused.seat-taken"));
        }
        let player = if occupant == OPEN {
            None
        } else {
            match check_bot(rules, occupant, limits)? {
                Occupant::Person => return Err(Refused::plain(RefusalCode::Invalid, "refused.sit")),
                bot => Some(Participant::bot(bot)),
            }
        };
        let mut next = self.clone();
        next.seats[seat] = player;
        if next.is_full() && next.people().next().is_none() {
            return Err(Refused::plain(RefusalCode::Invalid, "refused.only-bots"));
        }
        *self = next;
        Ok(())
    }

    fn check_host(&self, visitor: &VisitorId) -> Result<(), Refused> {
        if *visitor == self.host {
            Ok(())
        } else {
            Err(Refused::plain(RefusalCode::Forbidden, "refused.not-host"))
        }
    }

    /// The game that the lobby becomes.
    pub fn start(&self, rules: Arc<dyn Rules>) -> Start {
        Start {
            id: self.id.clone(),
            key: Some(self.key.clone()),
            name: self.name.clone(),
            owner: self.host,
            rules,
            mode: self.mode,
            players: self.dealt(),
            terms: self.terms.clone(),
            muted: self.muted.clone(),
            // What was said in the lobby is stored under the same id.
            lines: Vec::new(),
        }
    }

    /// The players as they sit when the game starts.
    fn dealt(&self) -> Vec<Participant> {
        let mut players: Vec<Participant> = self.seats.iter().flatten().cloned().collect();
        if self.shuffle {
            // Fisher and Yates.
            for last in (1..players.len()).rev() {
                players.swap(last, (random::seed() % (last as u64 + 1)) as usize);
            }
        }
        players
    }
}

/// Adds to a list that visitors can make longer; beyond [`REMEMBERED`] entries the oldest is forgotten.
fn push_bounded<T>(list: &mut Vec<T>, entry: T) {
    if list.len() >= REMEMBERED {
        list.remove(0);
    }
    list.push(entry);
}

#[cfg(test)]
mod tests {
    use agon_protocol::web::api::NewSeat;

    use agon_registry::GAMES;

    use super::*;

    const HOST: VisitorId = [1; 32];
    const GUEST: VisitorId = [2; 32];
    const THIRD: VisitorId = [3; 32];

    fn asked(seats: &[&str]) -> NewLobby {
        let seat = |occupant: &&str| NewSeat { occupant: (*occupant).to_owned(), name: None };
        NewLobby {
            name: "Friends".to_owned(),
            player: "Anna".to_owned(),
            game: "chinese-checkers".to_owned(),
            options: "seats=g/o/p".to_owned(),
            seats: seats.iter().map(seat).collect(),
            ..NewLobby::default()
        }
    }

    fn lobby(seats: &[&str]) -> Lobby {
        made(asked(seats)).expect("it holds")
    }

    fn made(asked: NewLobby) -> Result<Lobby, Refused> {
        let address = IpAddr::from([127, 0, 0, 1]);
        Lobby::new(GAMES, asked, HOST, address, 0, &BotLimits::default()).map(|(lobby, _)| lobby)
    }

    #[test]
    fn seats_are_taken_changed_and_given_up() {
        let mut lobby = lobby(&["human", "open", "open"]);
        lobby.sit(GUEST, 1, "Benno", None, false).expect("it is open");
        let taken = lobby.sit(THIRD, 1, "Cleo", None, false).expect_err("somebody was faster");
        assert_eq!(taken.code, RefusalCode::Taken);
        let alike = lobby.sit(THIRD, 2, "ANNA", None, false).expect_err("that is the host's name");
        assert_eq!((alike.code, alike.message.text.contains("ANNA 2")), (RefusalCode::Taken, true));
        lobby.sit(GUEST, 2, "Benno", None, false).expect("one may change seats");
        assert_eq!(lobby.seats_of(&GUEST), [2], "and has one only");
        lobby.sit(THIRD, 1, "Cleo", None, false).expect("it is open again");
        assert!(lobby.is_full());
        let full = lobby.sit([4; 32], 0, "Dora", None, false).expect_err("no seat is left");
        assert_eq!(full.code, RefusalCode::Full);
        assert_eq!(
            lobby.sit([4; 32], 9, "Dora", None, false).expect_err("no such seat").code,
            RefusalCode::Unknown
        );
        lobby.leave(&HOST);
        assert_eq!(lobby.host, THIRD, "somebody else is the host now");
        lobby.leave(&THIRD);
        lobby.leave(&GUEST);
        assert_eq!(lobby.people().count(), 0);
    }

    #[test]
    fn the_host_seats_bots_and_removes_guests() {
        let mut lobby = lobby(&["human", "open", "open"]);
        let rules = agon_requests::catalogue::rules(GAMES, &lobby.game, &lobby.options).expect("rules");
        let set = |lobby: &mut Lobby, by: &VisitorId, seat: usize, who: &str| {
            lobby.set_seat(by, seat, who, &*rules, &BotLimits::default()).map_err(|refused| refused.code)
        };
        assert_eq!(set(&mut lobby, &HOST, 1, "easy"), Ok(()));
        assert_eq!(set(&mut lobby, &HOST, 1, "open"), Ok(()));
        lobby.sit(GUEST, 1, "Benno", None, false).expect("it is open");
        assert_eq!(set(&mut lobby, &HOST, 1, "easy"), Err(RefusalCode::Taken), "a guest is removed first");
        assert_eq!(set(&mut lobby, &GUEST, 2, "easy"), Err(RefusalCode::Forbidden));
        assert_eq!(set(&mut lobby, &HOST, 2, "human"), Err(RefusalCode::Invalid));
        assert_eq!(set(&mut lobby, &HOST, 2, "jsonl:sh"), Err(RefusalCode::Forbidden));
        assert_eq!(set(&mut lobby, &HOST, 7, "easy"), Err(RefusalCode::Unknown));
        assert_eq!(lobby.remove(&GUEST, 0).expect_err("only the host").code, RefusalCode::Forbidden);
        assert_eq!(lobby.remove(&HOST, 0).expect_err("not oneself").code, RefusalCode::Unknown);
        assert_eq!(lobby.remove(&HOST, 1).expect("the host may"), (GUEST, "Benno".to_owned()));
        let back = lobby.sit(GUEST, 1, "Benno", None, false).expect_err("not again");
        assert_eq!(back.code, RefusalCode::Forbidden);
    }

    #[test]
    fn races_have_as_many_boards_as_can_be_played() {
        let race = |boards: usize| {
            let (game, options) = ("2048".to_owned(), String::new());
            let mut seats = vec!["open"; boards];
            seats[0] = "human";
            made(NewLobby { game, options, mode: Some(TableMode::Race), ..asked(&seats) })
        };
        assert!(race(2).is_ok() && race(6).is_ok());
        for boards in [1, 7, 100] {
            let refused = race(boards).expect_err("such a race would never start");
            assert_eq!(refused.field.as_deref(), Some("seats"), "{boards} boards");
        }
    }

    #[test]
    fn what_a_lobby_remembers_is_bounded() {
        let mut lobby = lobby(&["human", "open", "open"]);
        for number in 2..=255 {
            lobby.sit([number; 32], 1, "Benno", None, false).ok();
            lobby.remove(&HOST, 1).ok();
            lobby.mute([number; 32], HOST, true);
            lobby.mute([number; 32], HOST, true);
        }
        assert_eq!((lobby.removed.len(), lobby.muted.len()), (REMEMBERED, REMEMBERED));
        assert_eq!(lobby.muted.last(), Some(&([255; 32], HOST)));
        lobby.mute([255; 32], HOST, false);
        assert_eq!(lobby.muted.len(), REMEMBERED - 1);
    }

    #[test]
    fn a_private_lobby_needs_its_key() {
        let mut asked = asked(&["human", "open", "easy"]);
        asked.terms.public = false;
        let mut lobby = made(asked).expect("it holds");
        let key = lobby.key.clone();
        for guess in [None, Some("x"), Some(lobby.id.clone().as_str())] {
            let refused = lobby.sit(GUEST, 1, "Benno", guess, false).expect_err("not the key");
            assert_eq!(refused.code, RefusalCode::Forbidden);
        }
        lobby.sit(GUEST, 1, "Benno", Some(&key), false).expect("that is the key");
    }

    #[test]
    fn nobody_needs_a_name_in_a_private_lobby() {
        let mut asked = asked(&["human", "open", "open"]);
        (asked.name, asked.player) = (String::new(), " ".to_owned());
        let refused = made(asked.clone()).expect_err("the list shows names");
        assert_eq!(refused.field.as_deref(), Some("name"));
        asked.terms.public = false;
        let mut lobby = made(asked.clone()).expect("its link says enough");
        let key = lobby.key.clone();
        lobby.sit(GUEST, 1, "", Some(&key), false).expect("a guest");
        lobby.sit(THIRD, 2, "  ", Some(&key), false).expect("another guest");
        let names: Vec<&str> = lobby.people().map(|(_, _, name)| name).collect();
        assert_eq!((lobby.name.as_str(), names), ("Guest", vec!["Guest", "Guest 2", "Guest 3"]));
        asked.player = "Anna".to_owned();
        assert_eq!(made(asked).expect("a name helps").name, "Anna");
    }

    #[test]
    fn names_of_lobbies_that_are_not_listed_are_nobodys() {
        let listed = lobby(&["human", "open", "open"]);
        let mut asked = asked(&["human", "open", "open"]);
        asked.terms.public = false;
        let hidden = made(asked).expect("it holds");
        let lobbies = Lobbies::default();
        let limits = LobbyLimits::default();
        lobbies.reserve(&hidden, &limits).expect("the first");
        lobbies.reserve(&listed, &limits).expect("nobody sees the other");
        let other = lobby(&["human", "open", "open"]);
        assert_eq!(lobbies.reserve(&other, &limits).expect_err("they look alike").code, RefusalCode::Taken);
    }

    #[test]
    fn what_does_not_hold_is_refused() {
        let with = |change: fn(&mut NewLobby)| {
            let mut asked = asked(&["human", "open", "open"]);
            change(&mut asked);
            made(asked)
        };
        type Case = (fn(&mut NewLobby), &'static str);
        let cases: [Case; 13] = [
            (|asked| asked.mode = Some(TableMode::Race), "seats"),
            (|asked| asked.name.clear(), "name"),
            (|asked| asked.name = "x".repeat(25), "name"),
            (|asked| asked.name = "\u{202e}x".to_owned(), "name"),
            (|asked| asked.player.clear(), "player"),
            (|asked| asked.game = "chess".to_owned(), "game"),
            (|asked| asked.options = "seats=9".to_owned(), "options"),
            (|asked| asked.seats.truncate(2), "seats"),
            (|asked| asked.seats[1].occupant = "gtp:sh".to_owned(), "seats.1"),
            (|asked| asked.terms.clock = "5".to_owned(), "terms.clock"),
            (|asked| asked.terms.grace = 0, "terms.grace"),
            (|asked| asked.terms.days = Some(0), "terms.days"),
            (|asked| asked.terms.goal = Some(Default::default()), "terms.goal"),
        ];
        for (change, field) in cases {
            let refused = with(change).expect_err(field);
            assert_eq!(refused.field.as_deref(), Some(field), "{}", refused.message.text);
        }
        let only_bots = made(asked(&["easy", "easy", "easy"])).expect_err("nobody could play");
        assert_eq!(only_bots.code, RefusalCode::Invalid);
        let named = with(|asked| asked.seats[1] = NewSeat { occupant: "human".to_owned(), name: None });
        let named = named.expect("two people at one screen");
        assert_eq!(named.people().map(|(_, _, name)| name).collect::<Vec<_>>(), ["Anna", "Anna 2"]);
    }
}
