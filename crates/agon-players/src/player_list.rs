//! Lists of players in one text.

/// Splits a list such as `human,expert:time=1s,tt=off` into its specifications. Commas stand both between players and within
/// one: a piece with an `=` that neither `:` nor `(` precedes belongs to the player before it. The command of another program may hold
/// commas of its own, which cannot be told apart; such a player must be given by itself.
pub fn split_players(list: &str) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    for piece in list.split(',') {
        let is_setting = piece.split_once('=').is_some_and(|(key, _)| !key.contains([':', '(']));
        match players.last_mut() {
            Some(player) if is_setting => {
                player.push(',');
                player.push_str(piece);
            }
            _ => players.push(piece.to_owned()),
        }
    }
    players
}

#[cfg(test)]
mod tests {
    use super::split_players;

    #[test]
    fn settings_stay_with_their_player() {
        let split = |list| split_players(list);
        assert_eq!(split("human,expert"), ["human", "expert"]);
        assert_eq!(split("human,expert:time=1s,tt=off"), ["human", "expert:time=1s,tt=off"]);
        assert_eq!(
            split("expert:time=1s,tt=off,greedy:eval=s1,human"),
            ["expert:time=1s,tt=off", "greedy:eval=s1", "human"]
        );
        assert_eq!(split("gtp:play --level=3,human"), ["gtp:play --level=3", "human"]);
        assert_eq!(split("ugi:a,ugi:b=c"), ["ugi:a", "ugi:b=c"]);
        assert_eq!(split("human,jsonl(tt=1,quiet=on):a"), ["human", "jsonl(tt=1,quiet=on):a"]);
        // What is wrong stays to be refused by name.
        assert_eq!(split(""), [""]);
        assert_eq!(split("human,,greedy"), ["human", "", "greedy"]);
        assert_eq!(split("tt=off,human"), ["tt=off", "human"]);
    }
}
