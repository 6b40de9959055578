//! Thinking on the person's time: while a person thinks, the machine works out its reply to the move
//! that it expects.
//!
//! Both questions are ordinary ones, and the second is the very question that will be asked if the
//! person makes the expected move: the same position, belt and seed. So the machine plays the same
//! moves with and without this; it only answers sooner. After another move the work is dropped.

use dojo_core::belt::Belt;
use dojo_core::game::Outcome;
use dojo_core::players::belts::Answer;

use super::AppState;
use super::thinking::Asked;
use crate::boards;
use crate::event::{Command, Purpose};
use crate::store::Seat;

/// The belt whose move is expected of the person: quick in every game.
const EXPECTED: Belt = Belt::Green;

/// The work on a reply ahead of time.
#[derive(Clone, Copy)]
pub(super) struct Ponder {
    /// The last question.
    pub(super) id: u32,
    /// Moves played.
    plies: usize,
    /// The move that is expected of the person, once it is known.
    expected: Option<u16>,
    /// The reply to it.
    answer: Option<Answer>,
    /// Progress of the question, in thousandths.
    pub(super) share: u16,
    /// Whether the question waits for its answer.
    is_open: bool,
}

impl Ponder {
    pub(super) fn is_open(self) -> bool {
        self.is_open
    }
}

impl AppState {
    /// Whether there is somebody to think on the person's time, and power for it: where the state of
    /// a battery is known, only while it is charged.
    fn may_ponder(&self) -> bool {
        let Some(session) = &self.session else {
            return false;
        };
        let thinks = session
            .only_machine()
            .is_some_and(|(_, seat)| matches!(seat, Seat::Machine(_) | Seat::Ancestor(_)));
        self.settings.comfort.pondering
            && thinks
            && self.battery.is_none_or(|battery| battery.charging)
            && self.pending.is_none()
            && !self.mind.is_due()
            && self.lesson.is_none()
            && !boards::has_secrets(session.game())
    }

    /// Asks what the person will play, once for each position.
    pub(super) fn ponder_if_due(&mut self) {
        let plies = self
            .session
            .as_ref()
            .map_or(0, |session| session.moves().len());
        let is_new = self.ponder.is_none_or(|ponder| ponder.plies != plies);
        if is_new && self.may_ponder() {
            self.stop_pondering();
            // No number of the console's generator: its later questions must not change.
            self.ask_ahead(Seat::Machine(EXPECTED), plies as u64, plies, None);
        }
    }

    /// Asks for the move in the position on the board or, if a move of the person is expected, after
    /// that one.
    fn ask_ahead(&mut self, seat: Seat, seed: u64, plies: usize, expected: Option<u16>) {
        self.next_id = self.next_id.wrapping_add(1);
        let id = self.next_id;
        self.asked = Some(Asked {
            id,
            belt: seat.belt().unwrap_or(Belt::Black),
            seed,
            plies,
            is_hint: expected.is_none(),
            is_review: false,
            ancestor: seat.ancestor(),
            expected,
        });
        self.ponder = Some(Ponder {
            id,
            plies,
            expected,
            answer: None,
            share: 0,
            is_open: true,
        });
        self.command(Command::Think {
            id,
            purpose: Purpose::Move,
            pupil: false,
        });
    }

    /// The machine that will be asked after this move of the person; `None` if it will not be its
    /// turn.
    #[inline(never)] // a copy of the position
    fn replies_to(&self, mv: u16) -> Option<Seat> {
        let session = self.session.as_ref()?;
        let mut game = *session.game();
        game.play(mv).ok()?;
        let outcome: Option<Outcome> = game.outcome();
        let seat = session.seat(session.side_of(game.turn()));
        Some(seat).filter(|&seat| outcome.is_none() && seat != Seat::Person)
    }

    /// Takes in an answer. Returns whether it was to a question asked ahead of time.
    pub(super) fn pondered(&mut self, id: u32, answer: Option<Answer>) -> bool {
        let Some(ponder) = self.ponder.as_mut().filter(|ponder| ponder.id == id) else {
            return false;
        };
        ponder.is_open = false;
        ponder.share = 1000;
        if ponder.expected.is_some() {
            ponder.answer = answer;
            return true;
        }
        let plies = ponder.plies;
        let expected = answer.and_then(Answer::index);
        if let Some(mv) = expected
            && let Some(seat) = self.replies_to(mv)
        {
            // The number that the question will draw, if nothing else draws one before.
            let seed = self.rng.clone().next_u64();
            self.ask_ahead(seat, seed, plies, expected);
        }
        true
    }

    /// The person makes this move: whatever is thought about stops, except for the reply to it.
    pub(crate) fn stop_thinking_before(&mut self, mv: u16) {
        let kept = self.ponder.take_if(|ponder| ponder.expected == Some(mv));
        self.stop_thinking();
        self.ponder = kept;
    }

    pub(super) fn stop_pondering(&mut self) {
        if self.ponder.take().is_some_and(Ponder::is_open) {
            self.command(Command::StopThinking);
        }
    }

    /// The number of a question that was asked ahead of time and is the one to be asked now, and its
    /// answer if it has come.
    pub(super) fn take_pondered(
        &mut self,
        seat: Seat,
        purpose: Purpose,
    ) -> Option<(u32, Option<Answer>)> {
        let ponder = self.ponder?;
        let moves = self.session.as_ref()?.moves();
        let seed = self.rng.clone().next_u64();
        let is_same = |asked: &&mut Asked| {
            asked.is_ahead_of(ponder.id, seat, seed)
                && purpose == Purpose::Move
                && ponder.plies + 1 == moves.len()
                && ponder.expected == moves.last().copied()
                && (ponder.is_open || ponder.answer.is_some())
        };
        let asked = self.asked.as_mut().filter(is_same)?;
        asked.arrive();
        self.rng.next_u64();
        self.ponder = None;
        self.share = ponder.share;
        Some((ponder.id, ponder.answer))
    }
}
