//! Settings become players: what a study file varies, applied to the reference under every circumstance.

use agon_arena::reader::Section;
use agon_core::text::quote;
use agon_erased::{BotSpec, Rules};
use agon_match::Occupant;

use crate::bots::{Cast, LIMITS, weight_of};
use crate::factors::{Factor, Kind};
use crate::file::{Ground, Limit, MAX_SETTINGS};
use crate::plan::{Against, Circumstance, Setting, StudyPlayer};
use crate::players::{Misfit, Player, ProgramPlayer, Programs};

/// What the reference is called if nobody says otherwise.
pub(crate) const REFERENCE: &str = "reference";

/// A setting on its way to its bots: which value it takes of which factor.
pub(crate) type Choice = (Setting, Vec<(usize, usize)>);

/// Makes bots of settings.
pub(crate) struct Casting<'s, 'a, 't> {
    pub(crate) reference: Player,
    pub(crate) reference_section: &'s Section<'a, 't>,
    pub(crate) factors: Vec<Factor<'s, 'a, 't>>,
    /// The players of each factor that varies them.
    pub(crate) players: Vec<Vec<Player>>,
    /// What the reference is called, if its author says so.
    pub(crate) reference_label: Option<String>,
    pub(crate) programs: &'s Programs<'s>,
    pub(crate) is_crossed: bool,
    pub(crate) is_quick: bool,
    pub(crate) against: Against,
    /// Whether every bot is built, to see that it can be.
    pub(crate) builds_bots: bool,
}

impl Casting<'_, '_, '_> {
    /// The settings: the reference, and whatever differs from it.
    pub(crate) fn settings(&self, grounds: &[Ground]) -> Option<Vec<Choice>> {
        let (_, rules) = &grounds.first()?.game;
        let cast = Cast::of(&**rules);
        let mut choices: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        let mut owns: Vec<(String, String)> = Vec::new();
        for (number, factor) in self.factors.iter().enumerate() {
            let own = match (&factor.kind, &self.reference) {
                (Kind::Parameter(key), Player::Bot(spec)) => cast.value(spec, key).map(str::to_owned),
                (Kind::Weight(name), Player::Bot(spec)) => weight_of(&**rules, spec, name),
                _ => None,
            };
            owns.extend(own.iter().map(|own| (factor.kind.label().to_owned(), own.clone())));
            let is_own = |text: &str| match (&factor.kind, &self.reference) {
                (Kind::Parameter(key), Player::Program(program)) => self.programs.has(program, key, text),
                _ => own.as_deref() == Some(text),
            };
            // What the reference has anyway is no other setting.
            let values: Vec<usize> =
                (0..factor.values.len()).filter(|&value| !is_own(&factor.values[value].0)).collect();
            if self.is_crossed {
                let with_it = choices.iter().flat_map(|choice| {
                    values.iter().map(move |&value| {
                        let mut choice = choice.clone();
                        choice.push((number, value));
                        choice
                    })
                });
                let with_it: Vec<_> = with_it.collect();
                choices.extend(with_it);
            } else {
                choices.extend(values.into_iter().map(|value| vec![(number, value)]));
            }
            if choices.len() > MAX_SETTINGS {
                let what = format!("with this there are more than {MAX_SETTINGS} settings");
                factor.section.doc.wrong(factor.section.span(), what);
                return None;
            }
        }
        let settings: Vec<Choice> = choices
            .into_iter()
            .map(|choice| {
                let changes: Vec<(String, String)> = choice
                    .iter()
                    .map(|&(factor, value)| {
                        let Factor { kind, values, .. } = &self.factors[factor];
                        (kind.label().to_owned(), values[value].0.clone())
                    })
                    .collect();
                let name = match self.against {
                    _ if !choice.is_empty() => {
                        let names: Vec<String> = choice
                            .iter()
                            .map(|&(factor, value)| self.factors[factor].name_of(value))
                            .collect();
                        names.join(", ")
                    }
                    _ if self.reference_label.is_some() => self.reference_label.clone().unwrap_or_default(),
                    Against::Reference => REFERENCE.to_owned(),
                    // Among equals it is one of many.
                    Against::All => match &self.reference {
                        Player::Bot(spec) => spec.to_string(),
                        Player::Program(program) => self.programs.player(program).to_string(),
                    },
                };
                let changes = if choice.is_empty() { owns.clone() } else { changes };
                (Setting { name, changes }, choice)
            })
            .collect();
        if settings.len() < 2 {
            self.reference_section
                .wrong("reference", "it is the only setting: no value that is varied differs from it");
            return None;
        }
        for (index, (setting, choice)) in settings.iter().enumerate() {
            if settings[..index].iter().any(|(known, _)| known.name == setting.name) {
                self.blame(
                    choice,
                    &format!("two settings would be called {}; expected other labels", quote(&setting.name)),
                );
                return None;
            }
        }
        Some(settings)
    }

    /// Where the settings are compared, with their bots.
    pub(crate) fn circumstances(
        &self,
        settings: &[Choice],
        grounds: Vec<Ground>,
    ) -> Option<Vec<Circumstance>> {
        let mut is_whole = true;
        let mut circumstances = Vec::new();
        for Ground { game: (_, rules), openings, max_plies, changes, names, limits } in grounds {
            let cast = Cast::of(&*rules);
            let mut bots = Vec::new();
            for (_, choice) in settings {
                match self.player(&cast, &*rules, choice, &limits) {
                    Some(player) => bots.push(player),
                    None => is_whole = false,
                }
                // One game is enough to know what is wrong with a setting.
                if !is_whole && !circumstances.is_empty() {
                    return None;
                }
            }
            circumstances.push(Circumstance {
                name: names.join(", "),
                rules,
                openings,
                max_plies,
                changes,
                bots,
            });
        }
        is_whole.then_some(circumstances)
    }

    /// Notes what is wrong with a setting where it comes from.
    fn blame(&self, choice: &[(usize, usize)], what: &str) {
        match choice {
            [] => self.reference_section.wrong("reference", what),
            [.., (factor, value)] => self.factors[*factor].wrong(*value, what),
        }
    }

    /// Notes what is wrong with the value of a limit, once for all settings.
    fn wrong_limit(&self, limit: &Limit, what: &str) {
        self.reference_section.doc.wrong(limit.place.clone(), what);
    }

    /// Who plays for a setting under the limits that hold for both sides. What is wrong with it is noted where it comes from.
    fn player(
        &self,
        cast: &Cast,
        rules: &dyn Rules,
        choice: &[(usize, usize)],
        limits: &[Limit],
    ) -> Option<StudyPlayer> {
        // A whole bot comes before what is changed about it.
        let is_bot = |&&(factor, _): &&(usize, usize)| self.factors[factor].kind == Kind::Bot;
        let whole = choice.iter().rfind(is_bot).map(|&(factor, value)| &self.players[factor][value]);
        let changes: Vec<(usize, usize)> = choice.iter().filter(|item| !is_bot(item)).copied().collect();
        match whole.unwrap_or(&self.reference) {
            Player::Bot(spec) => {
                let spec = self.bot(cast, rules, choice, &changes, limits, spec.clone())?;
                Some(StudyPlayer { plays: Occupant::Bot(spec), program: None, time: None })
            }
            Player::Program(program) => {
                let program = self.program(choice, &changes, limits, program.clone())?;
                Some(self.programs.player(&program))
            }
        }
    }

    /// A program with changes and limits.
    fn program(
        &self,
        choice: &[(usize, usize)],
        changes: &[(usize, usize)],
        limits: &[Limit],
        mut program: ProgramPlayer,
    ) -> Option<ProgramPlayer> {
        for &(number, index) in changes {
            let factor = &self.factors[number];
            if let Kind::Weight(_) = factor.kind {
                let what = "a program has no weights that could be set; expected parameter = a parameter that it declares";
                factor.section.wrong("weight", what);
                return None;
            }
            let changed = self.programs.with(program, factor.kind.label(), &factor.values[index].0);
            program = changed
                .map_err(|misfit| match misfit {
                    Misfit::Name(what) => factor.section.wrong("parameter", what),
                    Misfit::Value(what) => factor
                        .section
                        .doc
                        .wrong(factor.values[index].1.clone(), format!("{} = {what}", factor.kind.label())),
                })
                .ok()?;
        }
        for limit in limits {
            let Limit { key, value, .. } = limit;
            if program.sets(key) {
                self.blame(choice, &set_twice(key));
                return None;
            }
            let limited = self.programs.with(program, key, value);
            program = limited
                .map_err(|misfit| match misfit {
                    Misfit::Name(what) => self.blame(choice, &format!("[[across]] limits {key}, but {what}")),
                    Misfit::Value(what) => self.wrong_limit(limit, &format!("{key} = {what}")),
                })
                .ok()?;
        }
        if self.is_quick && program.time.is_some() {
            self.blame(choice, "a quick study counts nodes, but this program is limited by time; give [quick] a reference of its own");
            return None;
        }
        if self.programs.is_unlimited(&program) {
            self.blame(choice, "this program could think for ever; expected a time for its moves (time = \"200ms\", or [[across]] with limit = \"time\"), or a parameter nodes or depth above 0");
            return None;
        }
        Some(program)
    }

    /// A bot with changes and limits.
    fn bot(
        &self,
        cast: &Cast,
        rules: &dyn Rules,
        choice: &[(usize, usize)],
        changes: &[(usize, usize)],
        limits: &[Limit],
        mut spec: BotSpec,
    ) -> Option<BotSpec> {
        let blame = |what: String| self.blame(choice, &what);
        for &(number, index) in changes {
            let factor = &self.factors[number];
            let value = &factor.values[index].0;
            let changed = match &factor.kind {
                Kind::Weight(name) => cast.with_weight(&spec, name, value),
                kind => {
                    let key = kind.label();
                    if !cast.declares(&spec, key) {
                        let bot = spec.name();
                        let advice = cast.advice(&spec, key);
                        factor.section.wrong(
                            "parameter",
                            format!("the bot {bot} has no parameter {}; {advice}", quote(key)),
                        );
                        return None;
                    }
                    spec.with(key, value).map_err(|error| error.to_string())
                }
            };
            spec = changed.map_err(|fault| factor.wrong(index, fault)).ok()?;
        }
        for limit in limits {
            let Limit { key, value, .. } = limit;
            if spec.sets(key) {
                blame(set_twice(key));
                return None;
            }
            if cast.declares(&spec, key) {
                let limited = spec.with(key, value);
                spec = limited.map_err(|error| self.wrong_limit(limit, &error.to_string())).ok()?;
            }
        }
        if self.is_quick && cast.value(&spec, "time").is_some_and(|time| time != "off") {
            if spec.sets("time") {
                blame("a quick study counts nodes, but this bot is limited by time; give [quick] a reference of its own".to_owned());
                return None;
            }
            spec = spec.with("time", "off").map_err(|error| blame(error.to_string())).ok()?;
        }
        if self.builds_bots
            && let Err(error) = rules.bot(&spec, 0)
        {
            blame(error.to_string());
            return None;
        }
        if cast.is_unlimited(&spec) {
            let known = agon_core::text::or_list(LIMITS);
            blame(format!(
                "{spec} would think for ever; expected a limit: {known}, in its specification or by [[across]]"
            ));
            return None;
        }
        Some(spec)
    }
}

/// What is wrong with a limit that a setting has already.
fn set_twice(key: &str) -> String {
    format!("it sets {key}, which [[across]] sets as well; only one of them can hold")
}
