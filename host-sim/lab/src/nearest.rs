//! "Did you mean": the known name that is most like a wrong one.

/// Names less alike than this are not mentioned.
const LIKENESS: f64 = 0.75;

/// The known name that is most like `name`, if one is.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), other);
    let rated = known.into_iter().map(|other| (likeness(other), other));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness >= LIKENESS)
        .map(|(_, other)| other)
}

/// What follows `unknown ...`: that name, if one is like it, and advice.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, advice: &str) -> String {
    match nearest(name, known) {
        Some(other) => format!(", did you mean `{other}`? ({advice})"),
        None => format!(": {advice}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_name_and_other_words_none() {
        let games = ["sticks", "tictactoe", "dots", "iwoki", "go", "connect4"];
        for (slip, name) in [
            ("stick", "sticks"),
            ("tic-tac-toe", "tictactoe"),
            ("Go", "go"),
            ("conect4", "connect4"),
            ("iwok", "iwoki"),
        ] {
            assert_eq!(nearest(slip, games), Some(name), "{slip}");
        }
        for other in ["chess", "", "poker"] {
            assert_eq!(nearest(other, games), None, "{other}");
        }
        let advice = "there are six";
        let found = ", did you mean `sticks`? (there are six)";
        assert_eq!(hint("stick", games, advice), found);
        assert_eq!(hint("chess", games, advice), ": there are six");
    }
}
