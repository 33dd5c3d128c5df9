//! Groups, then finals: everybody meets everybody in a group, and the first of each group play on.

use super::knock_out::KnockOut;
use super::{Met, circle};
use crate::tournament::plan::Finals;

/// A round of groups and finals.
#[derive(Debug)]
pub(super) struct Groups {
    groups: Vec<Vec<usize>>,
    qualify: usize,
    finals: Finals,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Nothing has been given out.
    Before,
    /// The games of the groups have been.
    InGroups,
    /// These play on, the best first. With a bracket they are known there by their places in this list.
    Finals { players: Vec<usize>, bracket: Option<KnockOut> },
}

/// Shares players out to groups as they stand in the file, forth and back, so that the groups are equally strong if the file is in order of
/// strength.
fn shared_out(players: usize, groups: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); groups];
    for player in 0..players {
        let (lap, place) = (player / groups, player % groups);
        found[if lap.is_multiple_of(2) { place } else { groups - 1 - place }].push(player);
    }
    found
}

impl Groups {
    pub(super) fn new(players: usize, groups: usize, qualify: usize, finals: Finals) -> Self {
        Self { groups: shared_out(players, groups), qualify, finals, stage: Stage::Before }
    }

    /// The size of each group.
    pub(super) fn sizes(players: usize, groups: usize) -> impl Iterator<Item = usize> {
        (0..groups).map(move |group| players / groups + usize::from(group < players % groups))
    }

    /// The pairs to be played next, and how often.
    pub(super) fn next(&mut self, last: &[Met], repetitions: usize) -> (Vec<(usize, usize)>, usize) {
        match &mut self.stage {
            Stage::Before => {
                self.stage = Stage::InGroups;
                let pairs = self.groups.iter().flat_map(|group| pairs_of(group));
                (pairs.collect(), repetitions)
            }
            Stage::InGroups => {
                let mut players = self.best(last);
                let mut bracket = (self.finals == Finals::KnockOut).then(|| KnockOut::new(players.len()));
                let next = match &mut bracket {
                    Some(bracket) => {
                        let (pairs, times) = bracket.next(&[], repetitions);
                        self.keep_apart(&mut players, &pairs);
                        named((pairs, times), &players)
                    }
                    None => (pairs_of(&players), repetitions),
                };
                self.stage = Stage::Finals { players, bracket };
                next
            }
            Stage::Finals { players, bracket: Some(bracket) } => {
                let place =
                    |player: &usize| players.iter().position(|other| other == player).unwrap_or(usize::MAX);
                let met: Vec<Met> = last
                    .iter()
                    .map(|game| Met {
                        seats: game.seats.iter().map(place).collect(),
                        points: game.points.clone(),
                    })
                    .collect();
                named(bracket.next(&met, repetitions), players)
            }
            Stage::Finals { bracket: None, .. } => (Vec::new(), repetitions),
        }
    }

    /// Those who play on after the games of the groups: all first ones, then all second ones, and so on, each in the order of their points.
    fn best(&self, games: &[Met]) -> Vec<usize> {
        let points = |player: usize, against: &dyn Fn(usize) -> bool| -> f64 {
            let own = games.iter().filter(|game| {
                game.seats.contains(&player)
                    && game.seats.iter().any(|seat| *seat != player && against(*seat))
            });
            own.flat_map(|game| game.seats.iter().zip(&game.points))
                .filter(|(seat, _)| **seat == player)
                .map(|(_, points)| points)
                .sum()
        };
        let total = |player: usize| points(player, &|_| true);
        let tables = self.groups.iter().map(|group| {
            // Between equals, the points that they took from each other; then the order of the file.
            let direct =
                |player: usize| points(player, &|other| total(other).total_cmp(&total(player)).is_eq());
            let mut table: Vec<(f64, f64, usize)> =
                group.iter().map(|player| (total(*player), direct(*player), *player)).collect();
            table.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
            table
        });
        let tables: Vec<_> = tables.collect();
        let mut best = Vec::new();
        for place in 0..self.qualify {
            let mut here: Vec<(f64, f64, usize)> =
                tables.iter().filter_map(|table| table.get(place).copied()).collect();
            here.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
            best.extend(here.into_iter().map(|(_, _, player)| player));
        }
        best
    }

    /// Changes the order of those who were equally good in their groups, so that nobody meets somebody of his own group at once. `pairs` are the
    /// places in the list that meet first.
    fn keep_apart(&self, players: &mut [usize], pairs: &[(usize, usize)]) {
        let group = |player: usize| self.groups.iter().position(|group| group.contains(&player));
        let opponent = |place: usize| {
            let of = |&(one, other): &(usize, usize)| match place {
                _ if one == place => Some(other),
                _ if other == place => Some(one),
                _ => None,
            };
            pairs.iter().find_map(of)
        };
        for &(one, other) in pairs {
            if group(players[one]) != group(players[other]) {
                continue;
            }
            let tier = other / self.groups.len();
            let places = tier * self.groups.len()..((tier + 1) * self.groups.len()).min(players.len());
            // Whoever changes places with the second must not be of the first one's group, nor meet the second's.
            let mut places = places.filter(|place| *place != other && *place != one);
            let fits = |place: &usize| {
                let met = opponent(*place).map(|place| group(players[place]));
                group(players[*place]) != group(players[one]) && met != Some(group(players[other]))
            };
            if let Some(place) = places.find(fits) {
                players.swap(other, place);
            }
        }
    }

    /// Those who have reached the finals; nobody before they begin.
    pub(super) fn finalists(&self) -> &[usize] {
        match &self.stage {
            Stage::Finals { players, .. } => players,
            _ => &[],
        }
    }

    /// Who has won the finals, if those are a knock-out that has ended.
    pub(super) fn winner(&self) -> Option<usize> {
        match &self.stage {
            Stage::Finals { players, bracket: Some(bracket) } => bracket.winner().map(|place| players[place]),
            _ => None,
        }
    }
}

/// Every pair of these players once, in turns in which everybody plays at most once.
fn pairs_of(players: &[usize]) -> Vec<(usize, usize)> {
    circle(players.len()).into_iter().map(|pair| (players[pair[0]], players[pair[1]])).collect()
}

/// Pairs of places in a list as pairs of those who stand there.
fn named((pairs, times): (Vec<(usize, usize)>, usize), players: &[usize]) -> (Vec<(usize, usize)>, usize) {
    (pairs.into_iter().map(|(one, other)| (players[one], players[other])).collect(), times)
}
