//! Tunings that are refused before anything is played.

use std::time::Duration;

use agon_tune::{Limit, Order, Plan};

use crate::support::order;

fn refusal(order: Order) -> String {
    Plan::new(order).err().expect("it is refused").to_string()
}

#[test]
fn what_cannot_be_tuned_is_refused_with_the_reason() {
    for (game, bot, part) in [
        ("2048", "expert", "1 seat here; bots are tuned in games of two"),
        ("othello", "expert", "has none that can be set"),
        ("othello", "random", "has none that can be set"),
        ("tablut", "exprt", "did you mean expert?"),
        ("tablut", "expert:lrm=2", "no option 'lrm'"),
        ("tablut", "expert:time=1s", "use nodes= instead of time="),
        ("tablut", "greedy", "cannot be limited by nodes"),
    ] {
        let said = refusal(order(game, bot));
        assert!(said.contains(part), "{game} {bot}: {said}");
    }
    let many = Order { options: vec!["seats=g/o/p".to_owned()], ..order("chinese-checkers", "expert") };
    assert!(refusal(many).contains("3 seats here"));
    let two = ["rules=rotating", "rules=standard"].map(str::to_owned).to_vec();
    assert!(refusal(Order { options: two, ..order("loa", "expert") }).contains("has other weights"));
    let unknown = Order { parameters: Some("rhombu".to_owned()), ..order("tablut", "expert") };
    assert!(refusal(unknown).contains("did you mean rhombus?"));
    let few = Order { games: Some(9), ..order("tablut", "expert") };
    assert!(refusal(few).contains("expected at least 10 --games"));
    let few = Order { is_spsa: true, games: Some(4), ..order("tablut", "expert") };
    assert!(refusal(few).contains("a step takes 16 games"));
}

#[test]
fn bots_are_limited_by_what_can_be_repeated() {
    let bot = |order: Order| Plan::new(order).expect("a plan").bot.to_string();
    let free = |game: &str, bot: &str| Order { nodes: None, ..order(game, bot) };
    assert_eq!(bot(free("tablut", "expert")), "expert:nodes=1000");
    assert_eq!(bot(free("tablut", "expert:nodes=70")), "expert:nodes=70");
    assert_eq!(bot(free("tablut", "s1")), "s1", "it has a depth");
    assert_eq!(bot(order("tablut", "s1")), "s1:nodes=60");
    assert_eq!(bot(free("chinese-checkers", "s2-ab")), "s2-ab:time=off,nodes=1000", "it had a time");
}

#[test]
fn the_command_says_it_all() {
    let everything = Order {
        options: vec!["rules=ashton".to_owned(), "rules=bologna".to_owned()],
        parameters: Some("king's-moves,turn".to_owned()),
        opening_plies: Some(5),
        match_limit: Some(Limit::Time(Duration::from_millis(100))),
        seed: 7,
        ..order("tablut", "expert")
    };
    let plan = Plan::new(everything).expect("a plan");
    assert_eq!(
        plan.command(),
        "agon tune tablut --bot expert --options rules=ashton --options rules=bologna --parameters 'king'\\''s-moves,turn' --games 20 \
         --positions 16 --ridge 10 --nodes 60 --opening-plies 5 --seed 7 --match-games 6 --match-time 100ms --name test"
    );
    let climb = Order { is_spsa: true, batch: Some(4), ..order("tablut", "expert") };
    let plan = Plan::new(climb).expect("a plan");
    assert!(plan.command().contains("--method spsa --games 20 --batch 4"), "{}", plan.command());
    assert_eq!(plan.tuning_games(), 20);
}
