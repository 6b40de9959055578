//! A running game: who sits where, what was played, and how to take it back.

use core::fmt;

use dojo_core::for_each_game;
use dojo_core::game::{IllegalMove, Outcome, Player};
use dojo_core::games::{self, AnyGame, AnyRules, MAX_PLIES};
use dojo_core::record::Recorded;

use crate::boards;
use crate::scoring::Scoring;
use crate::store::{self, Seat, Setup};

/// A game between two sides. Sides keep their seats; which of them moves first is up to the set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    setup: Setup,
    /// The side that starts. Sides are numbered like players, by their seats.
    first: Player,
    game: AnyGame,
    moves: heapless::Vec<u16, MAX_PLIES>,
    /// The player of the game who gave up.
    pub(crate) resigned: Option<Player>,
    /// What was agreed on after the last move, in games with a scoring phase.
    pub(crate) scoring: Scoring,
    /// Hints given in this game.
    pub hints: u16,
    /// Moves taken back in this game.
    pub undos: u16,
    /// Whether sides or opponent were changed on the way, or it began in the middle of another
    /// game: it earns no belt.
    pub(crate) altered: bool,
    /// Whether the statistics have its result: undo after the end must not count it twice.
    pub(crate) counted: bool,
    /// Results of its kind in the statistics before its own; `None` in a game that an older version
    /// saved.
    pub(crate) results: Option<u32>,
}

impl Session {
    /// A game from the start; `first` is the side that begins.
    pub fn new(setup: Setup, first: Player) -> Session {
        let game = setup.rules.start();
        Session {
            setup,
            first,
            game,
            moves: heapless::Vec::new(),
            resigned: None,
            scoring: Scoring::default(),
            hints: 0,
            undos: 0,
            altered: false,
            counted: false,
            results: None,
        }
    }

    /// The set-up it was started with.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// The side that made or makes the first move.
    pub fn first_side(&self) -> Player {
        self.first
    }

    /// The position.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The result, once the game is over and its score, where the players have to agree on one,
    /// stands.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.resigned {
            Some(loser) => Some(Outcome::Win(!loser)),
            None if self.is_scored() => None,
            None => boards::scored(&self.game, self.scoring.marked),
        }
    }

    /// Whether the game is in its scoring phase: no move is left, and the score does not stand yet.
    pub fn is_scored(&self) -> bool {
        boards::has_scoring(self.game.id())
            && self.resigned.is_none()
            && !self.scoring.agreed
            && self.game.outcome().is_some()
    }

    /// Whether there is no result yet.
    pub fn is_running(&self) -> bool {
        self.outcome().is_none()
    }

    /// Whether somebody is to move.
    pub fn is_on(&self) -> bool {
        self.outcome().is_none() && !self.is_scored()
    }

    /// The player of the game who would give up now: a person, the one to move if there are two.
    pub fn resigner(&self) -> Option<Player> {
        let turn = self.game.turn();
        [turn, !turn]
            .into_iter()
            .find(|&player| self.seat(self.side_of(player)) == Seat::Person)
    }

    /// The indices of the moves so far.
    pub fn moves(&self) -> &[u16] {
        &self.moves
    }

    /// Writes the record of the game so far, as `dojo replay` reads it. A resignation or an agreed
    /// score is a comment: the result in a record is the one on the board.
    pub fn write_record(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let moves = self.moves.iter().copied();
        if let Some(loser) = self.resigned {
            writeln!(out, "# {} resigned", loser.name())?;
        } else if let (Some(words), Some(outcome)) =
            (boards::scoring_words(self.game.id()), self.outcome())
        {
            write!(out, "# agreed: {}, {}:", outcome.name(), words.marked)?;
            for place in self.scoring.marked.iter() {
                out.write_char(' ')?;
                self.game.write_move(place, out)?;
            }
            writeln!(out)?;
        }
        macro_rules! write_record {
            ([] $($Game:ident: $Rules:ident = $row:tt;)*) => {
                match self.setup.rules {
                    $(AnyRules::$Game(rules) => games::$Game::write_record(out, rules, self.first, moves),)*
                }
            };
        }
        for_each_game!({ write_record })
    }

    /// The game that the bytes of [`crate::Slot::Game`] stand for; `None` if they hold none or are
    /// damaged.
    pub fn from_kept(bytes: &[u8]) -> Option<Session> {
        store::decode_game(bytes).flatten()
    }

    /// The bytes of [`crate::Slot::Game`] for this game; `None` if the buffer is too small.
    pub fn kept<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        store::encode_game(Some(self), buffer)
    }

    /// The position after the first `plies` moves.
    pub fn game_at(&self, plies: usize) -> AnyGame {
        let mut game = self.setup.rules.start();
        for &mv in self.moves.iter().take(plies) {
            // Each was legal when it was played.
            let _ = game.play(mv);
        }
        game
    }

    /// The side of a player of the game.
    pub fn side_of(&self, player: Player) -> Player {
        match self.first {
            Player::First => player,
            Player::Second => !player,
        }
    }

    /// Who sits on a side.
    pub fn seat(&self, side: Player) -> Seat {
        self.setup.seats[side.index()]
    }

    /// Who is to move.
    pub fn mover(&self) -> Seat {
        self.seat(self.side_of(self.game.turn()))
    }

    /// Whether a person sits on at least one side.
    pub fn has_person(&self) -> bool {
        self.setup.seats.contains(&Seat::Person)
    }

    /// The side of the only machine and which one it is, if exactly one side is a machine.
    pub fn only_machine(&self) -> Option<(Player, Seat)> {
        let seats = Player::BOTH.into_iter().map(|side| (side, self.seat(side)));
        let mut machines = seats.filter(|(_, seat)| *seat != Seat::Person);
        machines.next().filter(|_| machines.next().is_none())
    }

    /// The player whose secrets may be seen: the only person, or of two people the one to move.
    /// `None` if nothing has to be hidden: nobody plays, or the game is over.
    pub fn viewer(&self) -> Option<Player> {
        match self.only_machine() {
            _ if self.game.outcome().is_some() || !self.has_person() => None,
            // `side_of` is its own inverse.
            Some((side, _)) => Some(self.side_of(!side)),
            None => Some(self.game.turn()),
        }
    }

    /// Whether a person plays it without help, against the opponent with whom it began.
    pub(crate) fn is_clean(&self) -> bool {
        self.hints == 0 && self.undos == 0 && !self.altered
    }

    /// Changes who sits on a side.
    pub fn set_seat(&mut self, side: Player, seat: Seat) {
        // The first move may still be waited for.
        self.altered |= !self.moves.is_empty();
        self.setup.seats[side.index()] = seat;
    }

    /// The two sides change places in the running game.
    pub fn swap_seats(&mut self) {
        self.altered |= !self.moves.is_empty();
        self.setup.seats.swap(0, 1);
    }

    /// Plays a move.
    pub fn play(&mut self, mv: u16) -> Result<(), IllegalMove> {
        if self.moves.is_full() {
            return Err(IllegalMove);
        }
        self.game.play(mv)?;
        let _ = self.moves.push(mv);
        Ok(())
    }

    /// Number of moves left after an undo: back to the last decision of a person. `None` if there
    /// is none.
    fn undo_target(&self) -> Option<usize> {
        (0..self.moves.len())
            .rev()
            .find(|&plies| self.seat(self.side_of(self.game_at(plies).turn())) == Seat::Person)
    }

    /// Whether [`Session::undo`] would do anything.
    pub fn can_undo(&self) -> bool {
        self.person_resigned() || self.undo_target().is_some()
    }

    /// Whether a person gave up; undo takes only that back, not a machine's resignation.
    fn person_resigned(&self) -> bool {
        self.resigned
            .is_some_and(|loser| self.seat(self.side_of(loser)) == Seat::Person)
    }

    /// Goes back to the last decision of a person; giving up is a decision.
    pub fn undo(&mut self) -> bool {
        let resigned = self.person_resigned().then_some(self.moves.len());
        let Some(plies) = resigned.or_else(|| self.undo_target()) else {
            return false;
        };
        self.rewind(plies);
        self.undos = self.undos.saturating_add(1);
        true
    }

    /// Goes on playing instead of scoring, from the last decision of a person.
    pub fn play_on(&mut self) -> bool {
        let target = self.is_scored().then(|| self.undo_target()).flatten();
        target.map(|plies| self.rewind(plies)).is_some()
    }

    /// Forgets all moves after the first `plies`, and a resignation or an agreed score.
    pub fn rewind(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.game = self.game_at(plies);
        self.resigned = None;
        self.scoring = Scoring::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::belt::Belt;
    use dojo_core::games::GameId;

    #[test]
    fn undo_returns_to_the_persons_own_decision() {
        let mut session = Session::new(Setup::new(GameId::TicTacToe), Player::First);
        assert!(!session.undo());
        session.play(4).unwrap();
        session.play(0).unwrap();
        session.play(1).unwrap();
        assert!(
            session.undo(),
            "the machine is to move: its turn is skipped"
        );
        assert_eq!(session.moves(), [4, 0]);
        assert!(session.undo());
        assert_eq!(session.moves(), []);
        assert_eq!(session.undos, 2);
    }

    #[test]
    fn a_machine_that_started_keeps_its_first_move() {
        let mut session = Session::new(Setup::new(GameId::TicTacToe), Player::Second);
        assert_eq!(session.mover(), Seat::Machine(Belt::Yellow));
        session.play(4).unwrap();
        assert!(!session.can_undo());
        session.play(0).unwrap();
        assert!(session.undo());
        assert_eq!(session.moves(), [4]);
    }

    #[test]
    fn swapping_seats_hands_the_move_over() {
        let mut session = Session::new(Setup::new(GameId::TicTacToe), Player::First);
        session.swap_seats();
        assert_eq!(session.mover(), Seat::Machine(Belt::Yellow));
        assert_eq!(
            session.only_machine(),
            Some((Player::First, Seat::Machine(Belt::Yellow)))
        );
    }
}
