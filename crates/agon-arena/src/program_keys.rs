//! Programs in files: the keys `command`, `protocol`, `parameters`, `memory` and `threads`, which tournaments and studies share.

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use agon_core::text::{number, quote};
use agon_erased::Rules;
use agon_match::{Language, ProgramSpec};
use agon_players::external::CommandLine;
use agon_protocol::parameters::{MAX_PARAMETERS, ParameterValues, Parameters, is_name, settle};

use crate::reader::Section;
use crate::tournament::{joined_command, resolve_command};

const MEMORY: RangeInclusive<u64> = 16 << 20..=1 << 40;
const MAX_THREADS: u64 = 1024;
/// What a program may use if nothing is said, in bytes.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// Somebody's program, found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its language, its command as the file has it, and its parameters.
    pub spec: ProgramSpec,
    /// What is started: the same with every file found.
    pub command: CommandLine,
    /// The folder of the agent, in which it starts: that of the first file that its command names.
    pub folder: Option<PathBuf>,
    /// The memory that it may use, in bytes.
    pub memory: u64,
    /// The threads that it may have.
    pub threads: u32,
}

/// Asks a program by which rules it plays which parameters it has, or says why it cannot be asked.
pub type Ask<'a> = dyn Fn(&dyn Rules, &Program) -> Result<Parameters, String> + 'a;

/// The keys of a program, as far as they are read before its command is looked for.
#[derive(Clone, Debug)]
pub struct ProgramKeys {
    words: Vec<(String, Range<usize>)>,
    language: Language,
    parameters: ParameterValues,
}

impl ProgramKeys {
    /// Reads the keys of a section. All of them are asked for, so that none of them seems to be unknown.
    pub fn read(section: &Section) -> Option<Self> {
        let words = section.texts("command", r#"["python3", "my_agent.py"]"#);
        let language = section.choice(
            "protocol",
            &[
                ("jsonl", Language::Jsonl),
                ("ugi", Language::Ugi),
                ("gtp", Language::Gtp),
                ("nboard", Language::Nboard),
            ],
        );
        let parameters = section.table("parameters", "parameters").map(|table| parameters(&table));
        let words = words?.into_iter().map(|(word, span)| (word.to_owned(), span)).collect();
        let language = language.unwrap_or(Language::Jsonl);
        Some(Self { words, language, parameters: parameters.unwrap_or_default() })
    }

    /// The same in the short form `jsonl:CMD`, which stands at `span`.
    ///
    /// # Errors
    /// If the command cannot be split into words.
    pub fn short(spec: ProgramSpec, span: &Range<usize>) -> Result<Self, String> {
        let ProgramSpec { language, command, parameters } = spec;
        let words = CommandLine::words(&command)?.into_iter().map(|word| (word, span.clone())).collect();
        Ok(Self { words, language, parameters })
    }

    /// The program itself, which is granted so much memory and so many threads. Its files are found from `base`.
    pub fn program(self, section: &Section, base: &Path, memory: u64, threads: u32) -> Option<Program> {
        let Self { words, language, parameters } = self;
        let texts: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
        let span = |index: usize| {
            words.get(index).map_or_else(|| section.span_of("command"), |(_, span)| span.clone())
        };
        let line = joined_command(&texts);
        if line.len() > 4096 || line.contains(char::is_control) {
            section.doc.wrong(span(0), "command: a command has at most 4096 bytes and no control characters");
            return None;
        }
        match resolve_command(&texts, base) {
            Ok((command, folder)) => {
                let spec = ProgramSpec { language, command: line, parameters };
                Some(Program { spec, command, folder, memory, threads })
            }
            Err((index, fault)) => {
                section.doc.wrong(span(index), format!("command: {fault}"));
                None
            }
        }
    }
}

/// What parameters are set to.
fn parameters(table: &Section) -> ParameterValues {
    let values = table.scalars();
    if values.len() > MAX_PARAMETERS {
        table.doc.wrong(table.span(), format!("parameters: expected at most {MAX_PARAMETERS} of them"));
    }
    for (name, span, _) in values.iter().filter(|(name, ..)| !is_name(name)) {
        table.doc.wrong(span.clone(), format!("parameters: {} cannot name a parameter", quote(name)));
    }
    values.into_iter().map(|(name, _, value)| (name.to_owned(), value)).collect()
}

/// The memory that a section grants to a program, in bytes.
pub fn memory(section: &Section) -> Option<u64> {
    section.parsed("memory", "1GB", memory_amount)
}

/// An amount of memory that a program may be granted, in bytes.
///
/// # Errors
/// If it is none; what is expected.
pub fn memory_amount(text: &str) -> Result<u64, String> {
    bytes(text, MEMORY, "of memory from 16MB to 1024GB, such as \"1GB\" or \"512MB\"")
}

/// An amount of bytes with its unit, which is within `range`, as `expected` says in words.
pub(crate) fn bytes(text: &str, range: RangeInclusive<u64>, expected: &str) -> Result<u64, String> {
    let units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30)];
    let value = units.iter().find_map(|(unit, bytes)| {
        let count = number(text.strip_suffix(unit)?.trim_end(), 1..=1 << 30).ok()?;
        count.checked_mul(*bytes)
    });
    let fault = || format!("{} is not an amount {expected}", quote(text));
    value.filter(|bytes| range.contains(bytes)).ok_or_else(fault)
}

/// The threads that a section grants to a program.
pub fn threads(section: &Section) -> Option<u32> {
    section.whole("threads", 1..=MAX_THREADS).map(|threads| threads as u32)
}

/// Asks a program whether it takes the parameters that are set, if any are; notes at `key` what is wrong.
pub fn check_parameters(
    section: &Section,
    key: &'static str,
    rules: &dyn Rules,
    program: &Program,
    ask: &Ask,
) -> Option<()> {
    if program.spec.parameters.is_empty() {
        return Some(());
    }
    let declared = ask(rules, program)
        .map_err(|fault| {
            section.wrong(key, format!("the program cannot be asked for its parameters: {fault}"))
        })
        .ok()?;
    settle(&declared, &program.spec.parameters)
        .map(drop)
        .map_err(|fault| {
            // A table of parameters has a place for each of them.
            let place =
                section.table("parameters", "parameters").and_then(|table| table.place_of(&fault.name));
            section.doc.wrong(place.unwrap_or_else(|| section.span_of(key)), fault.what);
        })
        .ok()
}
