//! Training Othello's weights: repeatable, whatever interrupts it, and better than what was there before.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use agon_othello::expertise::weights::Weights;
use agon_train::othello::{
    Fit, Recipe, SAMPLE_BYTES, Sample, SampleFile, SampleFileError, SelfPlay, Source, Trial, fit, generate,
    relabel,
};

const RECIPE: Recipe = Recipe { seed: 1, depth: 1, solve_from: 6 };

fn play() -> SelfPlay {
    let Recipe { seed, depth, solve_from } = RECIPE;
    SelfPlay { seed, depth, solve_from, weights: Weights::builtin() }
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("a folder to write to");
    let file = folder.join(name);
    let _ = fs::remove_file(&file);
    file
}

#[test]
fn games_that_are_interrupted_go_on_as_if_they_had_not_been() {
    let go = AtomicBool::new(false);
    let (whole, parts) = (scratch("whole.samples"), scratch("parts.samples"));
    let mut file = SampleFile::open(&whole, RECIPE).expect("a new file");
    generate(&play(), 12, 1, &mut file, &go, &mut |_| {}).expect("it plays");
    assert_eq!(file.games(), 12);
    let expected = file.read().expect("just written");
    assert!(expected.len() > 12 * 20, "{}", expected.len());

    let mut file = SampleFile::open(&parts, RECIPE).expect("a new file");
    let stopped = AtomicBool::new(true);
    generate(&play(), 12, 2, &mut file, &stopped, &mut |_| {}).expect("it plays nothing");
    assert_eq!(file.games(), 0);
    generate(&play(), 5, 2, &mut file, &go, &mut |_| {}).expect("it plays some");
    drop(file);
    // A game that was being written when the machine stopped does not count.
    let mut bytes = fs::read(&parts).expect("it is there");
    bytes.extend([1; SAMPLE_BYTES / 2]);
    fs::write(&parts, bytes).expect("it can be written");
    let mut file = SampleFile::open(&parts, RECIPE).expect("its own file");
    generate(&play(), 12, 2, &mut file, &go, &mut |_| {}).expect("it plays the rest");
    assert_eq!(file.read().expect("just written"), expected);
    assert_eq!(fs::read(&parts).expect("written"), fs::read(&whole).expect("written"));
}

#[test]
fn a_file_of_samples_goes_on_only_as_it_began_and_other_files_are_refused() {
    let path = scratch("recipe.samples");
    drop(SampleFile::open(&path, RECIPE).expect("a new file"));
    let other = SampleFile::open(&path, Recipe { depth: 2, ..RECIPE });
    assert!(matches!(other, Err(SampleFileError::Recipe(found)) if found == RECIPE));
    let header = fs::read(&path).expect("it is there");
    for wrong in [&b"something else"[..], &header[..20], &[[7; 8].as_slice(), &header[8..]].concat()] {
        fs::write(&path, wrong).expect("it can be written");
        assert!(matches!(SampleFile::open(&path, RECIPE), Err(SampleFileError::Format)));
    }
    // It says that it holds more than it does.
    let mut longer = header;
    longer[32] = 9;
    fs::write(&path, longer).expect("it can be written");
    assert!(matches!(SampleFile::open(&path, RECIPE), Err(SampleFileError::Format)));
}

#[test]
fn samples_survive_being_written_and_nonsense_is_refused() {
    let source = Source::Aside;
    let sample =
        Sample { own: 1 << 63 | 5, opponent: 2, searched: -64, result: 64, source, is_held_out: true };
    assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
    for (place, wrong) in [(8, 1), (16, 65), (17, 128), (18, 6)] {
        let mut bytes = sample.to_bytes();
        bytes[place] = wrong;
        assert_eq!(Sample::from_bytes(&bytes), None, "byte {place}");
    }
}

#[test]
fn labels_hold_for_the_side_to_move_and_ends_are_solved() {
    let samples: Vec<Sample> = (0..20).flat_map(|number| play().play(number)).collect();
    let solved = |sample: &&Sample| 64 - sample.discs() <= RECIPE.solve_from;
    assert!(samples.iter().filter(solved).all(|sample| sample.searched == sample.result));
    let game: Vec<Sample> =
        play().play(3).into_iter().filter(|sample| sample.source == Source::SelfPlay).collect();
    // Nobody errs at the end: the same result throughout, seen from either side.
    let ends: Vec<i32> = game.iter().map(|sample| i32::from(sample.result)).collect();
    assert!(ends.iter().all(|end| end.abs() == ends[0].abs()), "{ends:?}");
    assert!(samples.iter().any(|sample| sample.source == Source::Aside));
    assert_eq!(play().play(3), play().play(3));
}

#[test]
fn weights_that_are_fitted_explain_their_samples_in_however_many_threads() {
    let go = AtomicBool::new(false);
    let mut samples: Vec<Sample> = (0..150).flat_map(|number| play().play(number)).collect();
    let settings = Fit { steps: 4, ..Fit::default() };
    let fitted = |jobs: usize| {
        let mut errors = Vec::new();
        let weights = fit(&samples, settings, jobs, &go, |report| errors.push(report)).expect("not stopped");
        errors.sort_by_key(|report| report.stage);
        (weights, errors)
    };
    let (weights, errors) = fitted(1);
    assert!(weights == fitted(2).0, "the number of threads does not matter");
    // Judged by nothing, the labels would be some 20 discs off.
    let late = &errors[20];
    assert!(late.samples > 300 && late.error < 9.0, "{late:?}");
    let stopped = AtomicBool::new(true);
    assert!(fit(&samples, settings, 1, &stopped, |_| {}).is_none());

    let weights: &'static Weights = Box::leak(Box::new(weights));
    let before = samples.clone();
    assert!(relabel(&mut samples, weights, 1, RECIPE.solve_from, 2, &go));
    assert!(samples.iter().zip(&before).any(|(now, then)| now.searched != then.searched));
    let is_solved = |sample: &Sample| 64 - sample.discs() <= RECIPE.solve_from;
    let kept = |(now, then): (&Sample, &Sample)| now == then || !is_solved(now);
    assert!(samples.iter().zip(&before).all(kept), "what is solved stays");
    assert!(!relabel(&mut samples, weights, 1, RECIPE.solve_from, 1, &stopped));

    let trial = Trial { new: Weights::builtin(), old: weights, depth: 1, pairs: 8, seed: 1 };
    let score = trial.play(2, &go);
    assert_eq!(score.wins + score.draws + score.losses, 16);
    assert_eq!(trial.play(1, &go), score, "the same games in however many threads");
    assert!(score.wins > score.losses, "150 games teach less than what is built in: {score:?}");
    let alike = Trial { old: Weights::builtin(), ..trial }.play(1, &go);
    assert_eq!(alike.wins, alike.losses, "against itself every opening is won and lost once: {alike:?}");
    go.store(true, Ordering::Relaxed);
    assert_eq!(trial.play(1, &go), Default::default());
}
