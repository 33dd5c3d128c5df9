//! Requests of pages, as they would come over HTTP.

use agon_core::random::RandomSource;
use agon_match::{Match, SCHEMA};
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::Opened;
use agon_requests::catalogue::{entry, game_info, rule_pictures, rules};
use agon_requests::statistics::{Counted, Listed};
use agon_requests::tables::{PlyQuery, prepare, read_record};
use agon_requests::thinking::{AnalysisTask, FeatureTask, ReviewQuery, ReviewTask, TreeTask};
use agon_requests::{position, read, status};
use agon_table::view::changes::finished;
use agon_table::view::stored_text;
use agon_table::view::summary::{TableHeader, TableStatus};
use agon_table::{Now, TableId, TableSettings};
use serde::Serialize;

use crate::query::Path;
use crate::seated::{Asking, Work};
use crate::tab::{OWNER, Origin, Tab};
use crate::wire::{Game, Outgoing, Question, Reply, Request, Row, StoredEvent, StoredRow, Thinking, Write};

/// What answers a request at once; `None` if the answer comes later.
type Answer = Result<Option<String>, Refused>;

fn nothing_here() -> Refused {
    Refused::plain(RefusalCode::Unknown, "refused.path")
}

fn json(value: &impl Serialize) -> Answer {
    Ok(Some(stored_text(value)))
}

impl Tab {
    pub(crate) fn request(&mut self, request: Request, now: Now) {
        let number = request.request;
        match self.answer(request, now) {
            Ok(Some(body)) => self.around.reply(number, 200, body),
            Ok(None) => {}
            Err(refused) => self.refuse_request(number, refused),
        }
    }

    pub(crate) fn refuse_request(&mut self, request: u64, refused: Refused) {
        self.around.reply(request, status(refused.code), stored_text(&refused.problem()));
    }

    fn answer(&mut self, request: Request, now: Now) -> Answer {
        let Request { request: number, method, path, body, name, seed } = request;
        let path = Path::parse(&path);
        let body = body.unwrap_or_default();
        let parts: Vec<&str> = path.parts.iter().map(String::as_str).collect();
        let ["api", "v1", parts @ ..] = &parts[..] else { return Err(nothing_here()) };
        let games = self.games();
        match (method.as_str(), parts) {
            ("GET", ["catalogue", game]) => {
                let rules = rules(games, game, path.value("options").unwrap_or_default())?;
                json(&game_info(entry(games, game)?, &rules))
            }
            ("GET", ["catalogue", game, "rules"]) => json(&rule_pictures(entry(games, game)?)),
            ("POST", ["games"]) => {
                let seed = match seed {
                    Some(seed) => seed.parse().map_err(|_| nothing_here())?,
                    None => self.around.rng.next_u64(),
                };
                let (game, settings) =
                    prepare(games, &self.around.house.bots, read(body.as_bytes())?, &name, seed)?;
                self.create(number, &game, &settings, now);
                Ok(None)
            }
            ("POST", ["records"]) => {
                let game = read_record(games, &self.around.house.bots, body.as_bytes(), &name)?;
                self.create(number, &game, &TableSettings::default(), now);
                Ok(None)
            }
            ("GET", ["games", id]) => self.ask_table(id, number, Asking::State, now),
            ("GET", ["games", id, "record"]) => self.ask_table(id, number, Asking::Record, now),
            ("GET", ["games", id, "plies"]) => {
                let query: PlyQuery = path.read().ok_or_else(nothing_here)?;
                self.ask_table(id, number, Asking::Plies(query.board, query.range()), now)
            }
            ("GET", ["games", id, "review"]) => {
                let ReviewQuery { board, from } = path.read().ok_or_else(nothing_here)?;
                self.ask_table(id, number, Asking::Review(board, from), now)
            }
            ("DELETE", ["games", id]) => self.ask_table(id, number, Asking::Delete, now),
            ("GET", ["me", "statistics", game]) => {
                entry(games, game)?;
                let question = self.around.number();
                self.listings.insert(question, (number, (*game).to_owned()));
                self.around.out.push(Outgoing::Rows { number: question, game: (*game).to_owned() });
                Ok(None)
            }
            ("POST", ["positions"]) => json(&position(games, read(body.as_bytes())?)?),
            ("POST", ["analysis"]) => self.ask_engine(number, Thinking::Analysis, body),
            ("POST", ["tree"]) => self.ask_engine(number, Thinking::Tree, body),
            ("POST", ["features"]) => self.ask_engine(number, Thinking::Features, body),
            _ => Err(nothing_here()),
        }
    }

    /// Has the engine answer a request, once it is known to hold.
    fn ask_engine(&mut self, request: u64, what: Thinking, body: String) -> Answer {
        let (games, limits) = (self.games(), self.around.house.bots);
        let question = body.as_bytes();
        let weights = match what {
            Thinking::Analysis => AnalysisTask::new(games, &limits, read(question)?)?.needs_weights(),
            Thinking::Tree => TreeTask::new(games, &limits, read(question)?)?.needs_weights(),
            Thinking::Features => FeatureTask::new(games, &limits, read(question)?)?.needs_weights(),
        };
        let memory = limits.memory;
        self.around.ask(Origin::Request(request), weights, Question::Request { what, body, memory });
        Ok(None)
    }

    fn ask_table(&mut self, id: &str, request: u64, asking: Asking, now: Now) -> Answer {
        self.work(&id.to_owned(), Work::Request(request, asking), now);
        Ok(None)
    }

    /// Stores a new table; the request is answered once that is done.
    fn create(&mut self, request: u64, game: &Match, settings: &TableSettings, now: Now) {
        let id = self.around.new_name();
        let date = agon_core::text::date_text(now.seconds);
        let header = TableHeader::of(game, None);
        let mut summary = header.clone().summary(Some(&**game.rules()), TableStatus::of(game), |_| true);
        summary.id.clone_from(&id);
        summary.created.clone_from(&date);
        summary.updated = date;
        let event = |event| StoredEvent { schema: SCHEMA, message: None, body: stored_text(&event) };
        let write = Write::Append {
            table: id.clone(),
            row: Box::new(Row {
                id: id.clone(),
                game: game.rules().spec().id.to_owned(),
                created: now.seconds,
                updated: now.seconds,
                over: game.is_over(),
                head: stored_text(&header),
                status: stored_text(&TableStatus::of(game)),
                summary,
            }),
            known: 0,
            events: game.events(0).map(event).collect(),
            settings: stored_text(settings),
            ends: game.is_over(),
        };
        let number = self.around.number();
        self.replies.insert(number, (request, 201, stored_text(&Opened { id })));
        self.around.out.push(Outgoing::Store { number, write: Box::new(write) });
    }

    /// Answers what was asked of a table that is in memory.
    pub(crate) fn answer_about(
        &mut self,
        id: &TableId,
        request: u64,
        asking: Asking,
        now: Now,
    ) -> Result<(), Refused> {
        let table = &self.seated(id).ok_or_else(Refused::unknown_table)?.table;
        match asking {
            Asking::State => {
                let state = stored_text(&table.state(OWNER, now));
                self.around.reply(request, 200, state);
            }
            Asking::Plies(board, range) => {
                let plies = stored_text(&table.plies(board, range)?);
                self.around.reply(request, 200, plies);
            }
            Asking::Record => {
                let body = table.record();
                let filename = Some(format!("agon-{id}.txt"));
                let content_type = "text/plain; charset=utf-8";
                self.around.out.push(Outgoing::Reply(Reply {
                    request,
                    status: 200,
                    content_type,
                    body,
                    filename,
                }));
            }
            Asking::Review(board, from) => self.ask_review(id, request, board, from)?,
            Asking::Delete => {
                self.forget(id);
                let number = self.around.number();
                self.replies.insert(number, (request, 204, String::new()));
                let write = Write::Delete { table: id.clone(), delete: true };
                self.around.out.push(Outgoing::Store { number, write: Box::new(write) });
            }
        }
        Ok(())
    }

    fn ask_review(&mut self, id: &TableId, request: u64, board: usize, from: usize) -> Result<(), Refused> {
        let table = &self.seated(id).ok_or_else(Refused::unknown_table)?.table;
        let session = finished(table.game(), board)?;
        let rules = std::sync::Arc::clone(table.game().rules());
        let game = Game {
            game: rules.spec().id.to_owned(),
            options: rules.options(),
            position: Some(session.start_position()),
            moves: session.history(),
        };
        let limits = self.around.house.bots;
        let task = ReviewTask::new(&limits, (rules, session), from);
        if let Some(part) = task.done() {
            self.around.reply(request, 200, stored_text(&part));
            return Ok(());
        }
        let question = Question::Review { game, from, memory: limits.memory };
        self.around.ask(Origin::Request(request), task.needs_weights(), question);
        Ok(())
    }

    /// Answers a request that has waited for the list of stored tables.
    pub(crate) fn answer_statistics(&mut self, number: u64, rows: &[StoredRow]) {
        let Some((request, game)) = self.listings.remove(&number) else { return };
        let mut counted = Counted::default();
        for StoredRow { id, updated, head, status, .. } in rows {
            counted.add(&Listed { id, head, status, updated: *updated, held: &[] }, &game);
        }
        let statistics = counted.statistics(self.games(), &game);
        self.around.reply(request, 200, stored_text(&statistics));
    }
}
