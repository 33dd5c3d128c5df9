//! Learning 2048: it gets better, it is repeatable, and it survives being stopped.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_2048::expertise::weights::Network;
use agon_train::game2048::{CheckpointError, Extract, Learner, Settings, TrainingPlan, comparison, train};

const SETTINGS: Settings = Settings { seed: 1, optimism: 0.0, restarts: true, promote_every: 100 };
const EXTRACT: Extract = Extract { step: 1.0, threshold: 0.0 };

fn mean(learner: &mut Learner, games: u64) -> f64 {
    let mut scores = Vec::new();
    while scores.len() < games as usize {
        let played = learner.play();
        if played.is_whole {
            scores.push(played.score as f64);
        }
    }
    scores.iter().sum::<f64>() / scores.len() as f64
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("a folder to write to");
    folder.join(name)
}

#[test]
fn a_learner_gets_better_and_always_in_the_same_way() {
    let mut learner = Learner::new(SETTINGS);
    let early = mean(&mut learner, 50);
    mean(&mut learner, 200);
    let late = mean(&mut learner, 50);
    assert!(late > 2.0 * early, "{early} {late}");
    let mut again = Learner::new(SETTINGS);
    assert_eq!(mean(&mut again, 50), early);
}

#[test]
fn a_course_ends_where_it_should_and_can_be_taken_up_again() {
    let path = scratch("2048.checkpoint");
    let course = TrainingPlan {
        games: Some(30),
        time: None,
        checkpoint: Some((path.clone(), Duration::from_secs(3600))),
        report_every: Duration::ZERO,
        stop: Arc::default(),
    };
    let mut learner = Learner::new(SETTINGS);
    let mut reports = Vec::new();
    train(&mut learner, &course, |progress| reports.push(*progress)).expect("the folder can be written to");
    assert_eq!(learner.games(), 30);
    assert_eq!(reports.last().map(|progress| progress.games), Some(30));
    assert!(reports.iter().all(|progress| progress.left.is_some()));
    let mut resumed = Learner::load(SETTINGS, &path).expect("just written");
    assert_eq!((resumed.games(), resumed.moves()), (learner.games(), learner.moves()));
    let file = learner.weights_file(EXTRACT).expect("enough memory");
    assert_eq!(resumed.weights_file(EXTRACT).expect("enough memory"), file);
    assert!(Network::decode(&file).is_ok(), "what was learnt can be played with");
    let longer = TrainingPlan { games: Some(40), checkpoint: None, ..course };
    train(&mut resumed, &longer, |_| {}).expect("nothing is written");
    assert_eq!(resumed.games(), 40);
    fs::remove_file(path).expect("it is ours");
}

/// What a learner does next depends on its seed and on how many games it has played, and on nothing that a checkpoint forgets.
#[test]
fn a_learner_goes_on_from_a_checkpoint_as_if_it_had_not_stopped() {
    let path = scratch("2048.resumed");
    let settings = Settings { promote_every: 0, ..SETTINGS };
    let mut learner = Learner::new(settings);
    mean(&mut learner, 30);
    learner.save(&path).expect("the folder can be written to");
    let mut resumed = Learner::load(settings, &path).expect("just written");
    assert_eq!(mean(&mut resumed, 10), mean(&mut learner, 10));
    assert_eq!(resumed.moves(), learner.moves());
    fs::remove_file(path).expect("it is ours");
}

#[test]
fn a_learner_goes_on_from_a_file_of_weights() {
    let mut learner = Learner::new(SETTINGS);
    mean(&mut learner, 300);
    let file = learner.weights_file(EXTRACT).expect("enough memory");
    let mut other = Learner::from_weights(SETTINGS, &file).expect("just written");
    assert!(Learner::from_weights(SETTINGS, b"something else").is_err());
    let scores = comparison::scores(&Network::decode(&file).expect("just made"), 1, 0..4);
    let ahead = comparison::mean(scores.iter().map(|score| *score as f64)).0;
    let untaught = mean(&mut Learner::new(SETTINGS), 20);
    assert!(mean(&mut other, 20) > 2.0 * untaught, "it begins with what the file holds");
    assert!(ahead > 2.0 * untaught, "{ahead} {untaught}");
}

#[test]
fn a_course_that_is_interrupted_keeps_what_was_learnt() {
    let path = scratch("2048.interrupted");
    let course = TrainingPlan {
        games: Some(1_000_000),
        time: None,
        checkpoint: Some((path.clone(), Duration::from_secs(3600))),
        report_every: Duration::ZERO,
        stop: Arc::default(),
    };
    let mut learner = Learner::new(SETTINGS);
    train(&mut learner, &course, |progress| course.stop.store(progress.games >= 5, Ordering::Relaxed))
        .expect("the folder can be written to");
    assert_eq!(learner.games(), 5);
    let kept = Learner::load(SETTINGS, &path).expect("a checkpoint was written");
    assert_eq!(kept.games(), 5);
    fs::remove_file(path).expect("it is ours");
}

#[test]
fn files_that_are_no_checkpoints_are_refused() {
    let path = scratch("2048.no-checkpoint");
    for bytes in [&b"something else"[..], b"2048 c2\n and then too little"] {
        fs::write(&path, bytes).expect("the folder can be written to");
        let error = Learner::load(SETTINGS, &path).expect_err("no checkpoint");
        assert!(matches!(error, CheckpointError::Foreign { .. }), "{error}");
    }
    fs::remove_file(&path).expect("it is ours");
    let error = Learner::load(SETTINGS, &path).expect_err("no file");
    assert!(matches!(error, CheckpointError::File { .. }), "{error}");
}
