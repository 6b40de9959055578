//! The protocol with the thinking side: which question is open, and when its answer is played.

use dojo_core::belt::Belt;
use dojo_core::games::thinking::Question;
use dojo_core::players::belts::{Answer, Decision, Thought};

use super::{AppState, SpeedTest, tone};
use crate::event::{Command, Purpose};
use crate::lesson::State;
use crate::store::Seat;

/// The machine's moves appear this long after it was asked, so that a person can follow.
const PACE_MS: u32 = 450;
/// Two machines are given more time between moves.
const DEMO_PACE_MS: u32 = 900;

/// Thoughts that are shown want to be looked at before the move is made.
const MIND_PACE_MS: u32 = 1800;

/// A question that the thinking side has not answered, or whose answer waits for its time.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    id: u32,
    asked: u32,
    is_hint: bool,
    answer: Option<Answer>,
}

/// The last question: the position is the one on the board. A question with its position takes more memory than all the
/// rest of what waits to be done.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    id: u32,
    belt: Belt,
    seed: u64,
    /// Moves played when it was asked.
    plies: usize,
    /// Advice for a person is always a move.
    is_hint: bool,
}

impl AppState {
    /// Whether the machine is at work on a move or a hint.
    pub(crate) fn is_thinking(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether the thinking side is at work, at whatever it was asked for, or a move of it waits to be shown.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_thinking()
            || (self.mind.is_asked() && !self.mind.is_done())
            || self
                .lesson
                .as_ref()
                .is_some_and(|lesson| lesson.state != State::Stopped)
            || self.speed == SpeedTest::Running
    }

    pub(crate) fn stop_thinking(&mut self) {
        let waits = self
            .pending
            .take()
            .is_some_and(|pending| pending.answer.is_none());
        // Both: what is unfinished is asked anew when the board is seen again.
        if self.mind.interrupt() | waits {
            self.command(Command::StopThinking);
        }
    }

    /// Asks for a hint, at full strength whatever the belt.
    pub(crate) fn ask_hint(&mut self) {
        let person_moves = self
            .session
            .as_ref()
            .is_some_and(|session| session.is_on() && session.mover() == Seat::Person);
        if !person_moves || self.pending.is_some() || self.next_holder().is_some() {
            self.beep(tone::REFUSED);
            return;
        }
        self.mind.interrupt();
        self.ask(Seat::Machine(Belt::Black), true);
        if let Some(session) = &mut self.session {
            session.hints = session.hints.saturating_add(1);
        }
    }

    /// Asks for the machine's move if it is its turn and it was not asked yet, for its mind if that is shown, and at the
    /// end of a game for its judgement if nobody has judged yet.
    pub(crate) fn ask_if_due(&mut self) {
        let Some(session) = &self.session else { return };
        if session.is_scored() && !session.scoring.judged && !self.mind.is_asked() {
            self.send(Seat::Machine(Belt::Black), Purpose::Mind, false);
            return;
        }
        if self.pending.is_some() || !session.is_on() {
            return;
        }
        match session.mover() {
            Seat::Person if self.mind.is_due() => {
                let seat = self.thinker();
                self.send(seat, Purpose::Mind, false);
            }
            Seat::Person => {}
            machine => self.ask(machine, false),
        }
    }

    fn ask(&mut self, seat: Seat, is_hint: bool) {
        let purpose = if self.mind.is_due() && !is_hint {
            Purpose::Both
        } else {
            Purpose::Move
        };
        let id = self.send(seat, purpose, is_hint);
        self.pending = Some(Pending {
            id,
            asked: self.now,
            is_hint,
            answer: None,
        });
    }

    /// Sends a question to a machine and returns its number.
    fn send(&mut self, seat: Seat, purpose: Purpose, is_hint: bool) -> u32 {
        self.next_id = self.next_id.wrapping_add(1);
        let id = self.next_id;
        if let Some(session) = &self.session {
            // A pupil is all that its brain is: no slips, and nothing but the brain.
            let belt = seat.belt().unwrap_or(Belt::Black);
            self.asked = Some(Asked {
                id,
                belt,
                seed: self.rng.next_u64(),
                plies: session.moves().len(),
                is_hint,
            });
            if purpose.wants_mind() {
                self.mind.asked(id);
            }
            self.command(Command::Think {
                id,
                purpose,
                pupil: seat == Seat::Pupil,
            });
        }
        id
    }

    /// The question with this number; `None` if the game has gone on since it was asked, or another one was asked.
    pub(crate) fn question(&self, id: u32) -> Option<Question> {
        let (asked, session) = (
            self.asked.filter(|asked| asked.id == id)?,
            self.session.as_ref()?,
        );
        let Asked {
            belt,
            seed,
            plies,
            is_hint,
            ..
        } = asked;
        (session.moves().len() == plies).then_some(Question {
            game: *session.game(),
            belt,
            seed,
            may_resign: !is_hint,
        })
    }

    /// Whose mind is shown: of the machine that moves, else of the opponent, else of the strongest.
    pub(crate) fn thinker(&self) -> Seat {
        let strongest = Seat::Machine(Belt::Black);
        let Some(session) = &self.session else {
            return strongest;
        };
        match session.mover() {
            Seat::Person => session.only_machine().map_or(strongest, |(_, seat)| seat),
            machine => machine,
        }
    }

    /// An answer came in; old ones are ignored.
    pub(crate) fn answered(&mut self, id: u32, answer: Option<Answer>) {
        let Some(pending) = &mut self.pending else {
            return;
        };
        if pending.id != id || pending.answer.is_some() {
            return;
        }
        pending.answer = answer;
        if answer.is_none() {
            self.pending = None;
        }
        self.take_answer();
    }

    /// Takes in the machine's values of the moves or, in the scoring phase, of the pieces.
    pub(crate) fn told(&mut self, id: u32, thoughts: &[Thought], done: bool) {
        self.mind.take_in(id, thoughts, done);
        if !self.mind.is_done() {
            return;
        }
        let Some(session) = &self.session else {
            return;
        };
        if !session.is_scored() {
            return;
        }
        let mut scoring = session.scoring;
        scoring.judge(session.game(), self.mind.thoughts());
        // Two machines accept the proposal.
        scoring.agreed = !session.has_person();
        self.set_scoring(scoring);
    }

    /// Plays or shows an answer once it is time. Returns whether something changed.
    pub(crate) fn take_answer(&mut self) -> bool {
        let Some(Pending {
            asked,
            is_hint,
            answer: Some(answer),
            ..
        }) = self.pending
        else {
            return false;
        };
        let pace = match &self.session {
            _ if self.mind.is_on() => MIND_PACE_MS,
            Some(session) if session.has_person() => PACE_MS,
            _ => DEMO_PACE_MS,
        };
        if !is_hint && self.now.wrapping_sub(asked) < pace {
            return false;
        }
        self.pending = None;
        if is_hint {
            self.hint = answer.index();
            if let (Some(board), Some(session)) = (&mut self.board, &self.session) {
                board.point_to(session.game(), self.hint);
            }
            self.beep(tone::REPLY);
        } else if let Decision::Play(index) = answer.decision {
            self.play(index);
        } else if let Some(session) = &self.session {
            self.resigned(Some(session.game().turn()));
        }
        true
    }
}
