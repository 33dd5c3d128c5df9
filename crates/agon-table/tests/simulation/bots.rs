//! Bots that answer fast, slowly, wrongly or never, and the questions that they were asked.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use agon_core::Player;
use agon_erased::Thought;
use agon_match::Occupant;
use agon_table::{BotNews, BotQuestion, Purpose};

use crate::dice::Dice;
use crate::scenario::Troubles;

/// A question, and what will be heard of it when.
pub(crate) struct Asked {
    pub(crate) purpose: Purpose,
    pub(crate) board: usize,
    pub(crate) seat: Player,
    pub(crate) ply: usize,
    pub(crate) occupant: Occupant,
    news: VecDeque<(Duration, BotNews)>,
}

#[derive(Default)]
pub(crate) struct Bots {
    /// Questions that wait for an answer.
    pub(crate) open: BTreeMap<u64, Asked>,
    /// Questions whose answers are not wanted any more, and may come nevertheless.
    cancelled: BTreeMap<u64, Asked>,
    /// The questions that were answered by a move which has not been played yet, by their boards.
    pub(crate) found: BTreeMap<usize, Asked>,
    /// Whether they may think.
    pub(crate) may_think: bool,
}

impl Bots {
    pub(crate) fn ask(&mut self, question: &BotQuestion, troubles: Troubles, now: Duration, dice: &mut Dice) {
        let asked = Asked {
            purpose: question.purpose,
            board: question.board,
            seat: question.seat,
            ply: question.session.len(),
            occupant: question.occupant.clone(),
            news: plan(question, troubles, now, dice),
        };
        assert!(self.open.insert(question.number, asked).is_none(), "two questions have one number");
        self.cancelled.remove(&question.number);
        if question.purpose == Purpose::Move {
            self.found.remove(&question.board);
        }
    }

    pub(crate) fn cancel(&mut self, number: u64, dice: &mut Dice) {
        let asked = self.open.remove(&number).expect("only open questions are cancelled");
        // The answer may be on its way already.
        if dice.percent(30) {
            self.cancelled.insert(number, asked);
        }
    }

    /// Has those who think never answer.
    pub(crate) fn fall_silent(&mut self) {
        self.cancelled.clear();
        self.open.values_mut().for_each(|asked| asked.news.clear());
    }

    /// When something is heard next.
    pub(crate) fn next(&self) -> Option<Duration> {
        let asked = self.open.values().chain(self.cancelled.values());
        asked.filter_map(|asked| asked.news.front()).map(|(at, _)| *at).min()
    }

    /// What is heard by now, of which question, and whether the answer is still wanted.
    pub(crate) fn hear(&mut self, now: Duration) -> Option<(u64, BotNews, bool)> {
        let is_due = |asked: &Asked| asked.news.front().is_some_and(|(at, _)| *at <= now);
        let due = |asked: &BTreeMap<u64, Asked>| {
            asked.iter().find(|(_, asked)| is_due(asked)).map(|(number, _)| *number)
        };
        if let Some(number) = due(&self.cancelled) {
            let news = self.cancelled.get_mut(&number)?.news.pop_front()?.1;
            return Some((number, news, false));
        }
        let number = due(&self.open)?;
        let asked = self.open.get_mut(&number)?;
        let news = asked.news.pop_front()?.1;
        let is_last = matches!(news, BotNews::Answer(..) | BotNews::Failed(_));
        if let Some(asked) = is_last.then(|| self.open.remove(&number)).flatten()
            && matches!(news, BotNews::Answer(..))
            && asked.purpose == Purpose::Move
        {
            self.found.insert(asked.board, asked);
        }
        Some((number, news, true))
    }
}

fn plan(
    question: &BotQuestion,
    troubles: Troubles,
    now: Duration,
    dice: &mut Dice,
) -> VecDeque<(Duration, BotNews)> {
    let millis = |millis: usize| Duration::from_millis(millis as u64);
    if troubles.are_bots_silent {
        return VecDeque::new();
    }
    if troubles.are_bots_broken {
        return [(now, BotNews::Failed("it is broken".to_owned()))].into();
    }
    let legal = question.session.legal();
    let thought = |token: &str, elapsed: Duration| Thought {
        score: Some(1.5),
        depth: 3,
        nodes: 100,
        elapsed,
        ..Thought::instinct(token.to_owned())
    };
    let best = dice.pick(&legal).clone();
    let mut news = VecDeque::new();
    if !dice.percent(troubles.bots) {
        let time = millis(dice.below(60));
        news.push_back((now + time, BotNews::Answer(thought(&best, time), time)));
        return news;
    }
    let time = millis(102 + 6 * dice.below(700));
    news.push_back((now, BotNews::Waiting(1 + dice.below(2))));
    news.push_back((now + time / 3, BotNews::Waiting(0)));
    news.push_back((now + time / 2, BotNews::Thought(thought(&best, time / 2))));
    match dice.below(4) {
        0 => {}
        1 => news.push_back((now + time, BotNews::Failed("it has crashed".to_owned()))),
        2 => news.push_back((now + time, BotNews::Answer(thought("z99", time), time))),
        _ => news.push_back((now + time, BotNews::Answer(thought(&best, time), time))),
    }
    news
}
