//! Other people's programs on this machine: what starts them, and which parameters they have.

use std::sync::Arc;

use agon_arena::program_keys::Program;
use agon_erased::Rules;
use agon_match::Occupant;
use agon_players::external::{CommandLine, Hosting, Launcher, OwnGroup, declared_parameters};
use agon_protocol::parameters::{Parameters, settle};
use agon_sandbox::{Limits, Sandbox};

/// What starts a program of a file: a sandbox with the limits of the file.
pub(crate) fn sandbox(program: &Program) -> std::io::Result<Sandbox> {
    let limits = Limits { memory: program.memory, threads: program.threads, ..Limits::default() };
    Sandbox::new(limits, program.folder.as_deref())
}

/// Starts a program of a file once, in its sandbox, and asks which parameters it has.
pub(crate) fn ask(rules: &dyn Rules, program: &Program) -> Result<Parameters, String> {
    let sandbox = sandbox(program).map_err(|error| error.to_string())?;
    let hosting = Hosting { launcher: Arc::new(sandbox) as Arc<dyn Launcher>, ..Hosting::default() };
    declared_parameters(rules, &program.spec, program.command.clone(), hosting)
}

/// A player of the command line, whose parameters, if it is a program and any are set, are those that it declares.
pub(crate) fn checked(occupant: Occupant, rules: &dyn Rules) -> anyhow::Result<Occupant> {
    let Occupant::Program(mut spec) = occupant else { return Ok(occupant) };
    if !spec.parameters.is_empty() {
        let fail = |fault: String| anyhow::anyhow!("{spec}: {fault}");
        let command = CommandLine::parse(&spec.command).map_err(fail)?;
        let hosting = Hosting { launcher: Arc::new(OwnGroup), ..Hosting::default() };
        let declared = declared_parameters(rules, &spec, command, hosting).map_err(fail)?;
        let settled = settle(&declared, &spec.parameters).map_err(|fault| fail(fault.what))?;
        spec.parameters = settled;
    }
    Ok(Occupant::Program(spec))
}
