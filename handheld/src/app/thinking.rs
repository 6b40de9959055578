//! The protocol with the thinking side: which question is open, and when its answer is played.

use dojo_core::belt::Belt;
use dojo_core::games::thinking::Question;
use dojo_core::players::belts::{Answer, Decision, Thought};

use super::pondering::Ponder;
use super::{AppState, SpeedTest};
use crate::boards::AnyBoard;
use crate::brush;
use crate::event::{Command, Purpose};
use crate::lesson::LessonState;
use crate::motion::{TRAVEL_MS, Tween};
use crate::sound::Cue;
use crate::store::Seat;

/// Least time from the question to the machine's move, so that a person can follow.
const PACE_MS: u32 = 450;
/// The same between two machines.
const DEMO_PACE_MS: u32 = 900;

/// The same in the mind view, where a person reads the values first.
const MIND_PACE_MS: u32 = 1800;

/// X held this long shows the mind; let go before, it asks for a hint.
const PEEK_MS: u32 = 250;

/// A question without an answer, or with one that waits for its time.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    id: u32,
    asked: u32,
    is_hint: bool,
    answer: Option<Answer>,
    /// The person's cursor, while the machine's goes to its move.
    home: Option<AnyBoard>,
}

/// The last question without its 1 KB position, which is still on the board.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) id: u32,
    pub(super) belt: Belt,
    pub(super) seed: u64,
    /// Moves played when the question was asked.
    pub(super) plies: usize,
    /// A hint is always a move, never a resignation.
    pub(super) is_hint: bool,
    /// A position of a finished game, for its appraisal.
    pub(super) is_review: bool,
    pub(super) ancestor: Option<u8>,
    /// A move of the person that has not been made: the question is about the position after it.
    pub(super) expected: Option<u16>,
}

impl Asked {
    /// Whether it is this question, asked of this player ahead of time.
    pub(super) fn is_ahead_of(&self, id: u32, seat: Seat, seed: u64) -> bool {
        let belt = seat.belt().unwrap_or(Belt::Black);
        self.expected.is_some()
            && (self.id, self.belt, self.ancestor, self.seed) == (id, belt, seat.ancestor(), seed)
    }

    /// The expected move was made.
    pub(super) fn arrive(&mut self) {
        self.expected = None;
        self.plies += 1;
    }
}

impl AppState {
    /// Asks for the values of the next position of the game that is reviewed.
    pub(crate) fn appraise(&mut self) {
        let ply = self.appraisal.ply();
        let is_due = { self.session.as_ref() }.is_some_and(|session| ply < session.moves().len());
        if self.appraisal.is_open() || !is_due {
            return;
        }
        self.next_id = self.next_id.wrapping_add(1);
        let id = self.next_id;
        self.asked = Some(Asked {
            id,
            belt: Belt::Black,
            seed: self.rng.next_u64(),
            plies: ply,
            is_hint: true,
            is_review: true,
            ancestor: None,
            expected: None,
        });
        self.appraisal.asked(id, self.now);
        self.command(Command::Think {
            id,
            purpose: Purpose::Mind,
            pupil: false,
        });
    }

    /// Takes in values of a position of the game that is reviewed. Returns whether they were wanted.
    fn appraised(&mut self, id: u32, thoughts: &[Thought], done: bool) -> bool {
        let Some(session) = self.session.as_ref().filter(|_| self.appraisal.is_open()) else {
            return false;
        };
        let ply = self.appraisal.ply();
        let played = session.moves().get(ply).copied().unwrap_or_default();
        let turn = session.game_at(ply).turn();
        self.appraisal.take_in(id, thoughts, turn, played, done)
    }

    /// Stops thinking about a reviewed position after a second. Returns whether the picture changes.
    pub(crate) fn go_on_with_appraisal(&mut self) -> bool {
        let is_over = self.appraisal.tick(self.now);
        if is_over {
            self.command(Command::StopThinking);
        }
        is_over
    }

    /// Whether a move or a hint is being thought about.
    pub(crate) fn is_thinking(&self) -> bool {
        self.pending.is_some()
    }

    /// Progress of the open question in thousandths, while the board waits for the thinking side.
    pub(crate) fn progress(&self) -> Option<u16> {
        match self.pending {
            Some(Pending {
                answer: Some(_), ..
            }) => Some(1000),
            Some(_) => Some(self.share),
            None => (self.mind.is_asked() && !self.mind.is_done()).then_some(self.share),
        }
    }

    /// Whether the thinking side works on anything, or its move waits to be shown.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_thinking()
            || self.appraisal.is_open()
            || (self.mind.is_asked() && !self.mind.is_done())
            || self
                .lesson
                .as_ref()
                .is_some_and(|lesson| lesson.state != LessonState::Stopped)
            || self.speed == SpeedTest::Running
    }

    pub(crate) fn stop_thinking(&mut self) {
        self.end_travel();
        let waits = self
            .pending
            .take()
            .is_some_and(|pending| pending.answer.is_none());
        let ponders = self.ponder.take().is_some_and(Ponder::is_open);
        // Not `||`: the mind view must be interrupted too. Both are asked anew when the board is
        // seen again.
        if self.mind.interrupt() | self.appraisal.interrupt() | waits | ponders {
            self.command(Command::StopThinking);
        }
        self.apprentice.asked = None;
    }

    /// Asks the black belt for a hint, whatever the opponent's belt.
    pub(crate) fn ask_hint(&mut self) {
        let person_moves = self
            .session
            .as_ref()
            .is_some_and(|session| session.is_on() && session.mover() == Seat::Person);
        if !person_moves || self.pending.is_some() || self.next_holder().is_some() {
            self.sound(Cue::Refused);
            return;
        }
        self.mind.interrupt();
        self.ask(Seat::Machine(Belt::Black), true);
        if let Some(session) = &mut self.session {
            session.hints = session.hints.saturating_add(1);
        }
    }

    /// Asks the question that the position calls for, unless it was asked already: the machine's
    /// move in its turn, the values of all moves for the mind view, the values of the pieces in the
    /// scoring phase.
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
            Seat::Person => self.ponder_if_due(),
            machine => self.ask(machine, false),
        }
    }

    fn ask(&mut self, seat: Seat, is_hint: bool) {
        let purpose = if self.mind.is_due() && !is_hint {
            Purpose::Both
        } else {
            Purpose::Move
        };
        let mut answer = None;
        let id = if seat == Seat::Apprentice {
            // Nobody else is asked: the console has its table.
            self.next_id = self.next_id.wrapping_add(1);
            self.apprentice.asked = Some(self.next_id);
            self.next_id
        } else if let Some((id, ready)) = self.take_pondered(seat, purpose) {
            answer = ready;
            id
        } else {
            self.send(seat, purpose, is_hint)
        };
        self.pending = Some(Pending {
            id,
            asked: self.now,
            is_hint,
            answer,
            home: None,
        });
        if seat == Seat::Apprentice {
            self.go_on_with_apprentice();
        }
    }

    /// Sends a question to a machine and returns its number.
    fn send(&mut self, seat: Seat, purpose: Purpose, is_hint: bool) -> u32 {
        self.stop_pondering();
        self.next_id = self.next_id.wrapping_add(1);
        let id = self.next_id;
        self.share = 0;
        if let Some(session) = &self.session {
            // A pupil plays by its brain alone, as a black belt does: without slips.
            let belt = seat.belt().unwrap_or(Belt::Black);
            self.asked = Some(Asked {
                id,
                belt,
                seed: self.rng.next_u64(),
                plies: session.moves().len(),
                is_hint,
                is_review: false,
                ancestor: seat.ancestor(),
                expected: None,
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

    /// The question with this number; `None` if the game has gone on since it was asked, or another
    /// one was asked.
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
            is_review,
            ancestor,
            expected,
            ..
        } = asked;
        if !is_review && session.moves().len() != plies {
            return None;
        }
        // In place: a position takes kilobytes of the stack.
        let mut question = Question {
            game: if is_review {
                session.game_at(plies)
            } else {
                *session.game()
            },
            belt,
            seed,
            may_resign: !is_hint,
            ancestor,
        };
        if let Some(mv) = expected {
            question.game.play(mv).ok()?;
        }
        Some(question)
    }

    /// The game with only the moves before the question of this number, for a thinking side that
    /// shares no memory.
    pub(crate) fn asked_session(&self, id: u32) -> Option<crate::Session> {
        let asked = self.asked.filter(|asked| asked.id == id)?;
        let mut session = self.session.clone()?;
        session.rewind(asked.plies);
        if let Some(mv) = asked.expected {
            session.play(mv).ok()?;
        }
        Some(session)
    }

    /// Whose values the mind view shows: of the machine that moves, else of the opponent, else of
    /// the black belt.
    pub(crate) fn thinker(&self) -> Seat {
        let strongest = Seat::Machine(Belt::Black);
        let Some(session) = &self.session else {
            return strongest;
        };
        let seat = match session.mover() {
            Seat::Person => session.only_machine().map_or(strongest, |(_, seat)| seat),
            machine => machine,
        };
        // The apprentice's values are in storage, not with the thinking side.
        if seat == Seat::Apprentice {
            strongest
        } else {
            seat
        }
    }

    /// Takes in an answer; answers to older questions are ignored.
    pub(crate) fn answered(&mut self, id: u32, answer: Option<Answer>) {
        if self.pondered(id, answer) {
            return;
        }
        let Some(pending) = &mut self.pending else {
            return;
        };
        if pending.id != id || pending.answer.is_some() {
            return;
        }
        pending.answer = answer;
        self.mind.finish(id);
        if answer.is_none() {
            self.pending = None;
        }
        self.take_answer();
    }

    /// Takes in the progress of a question. Returns whether the picture changes.
    pub(crate) fn progressed(&mut self, id: u32, share: u16, thoughts: &[Thought]) -> bool {
        if !thoughts.is_empty() && self.appraised(id, thoughts, false) {
            return false;
        }
        if let Some(ponder) = self.ponder.as_mut().filter(|ponder| ponder.id == id) {
            ponder.share = ponder.share.max(share.min(1000));
            return false;
        }
        let of_mind = self.mind.waits_for(id);
        let of_move =
            matches!(self.pending, Some(pending) if pending.id == id && pending.answer.is_none());
        if !of_mind && !of_move {
            return false;
        }
        let before = brush::filled(self.share);
        self.share = self.share.max(share.min(1000));
        // A hint by the black belt leaves the opponent's values alone.
        let is_news = !thoughts.is_empty() && (of_mind || !self.mind.is_asked());
        if is_news {
            self.mind.set(thoughts);
        }
        brush::filled(self.share) != before || is_news && self.mind.is_visible()
    }

    // X: a short press asks for a hint, a long one shows the mind.

    pub(crate) fn begin_peek(&mut self) {
        self.peek = Some(self.now);
    }

    /// Whether X is held, and not for long enough to show the mind.
    pub(crate) fn may_peek(&self) -> bool {
        self.peek.is_some() && !self.mind.is_visible()
    }

    /// Shows the mind once X has been held for long enough. Returns whether it does from now on.
    pub(crate) fn go_on_with_peek(&mut self) -> bool {
        let is_due = |since| self.now.wrapping_sub(since) >= PEEK_MS;
        self.peek.is_some_and(is_due) && self.mind.peek(true)
    }

    pub(crate) fn end_peek(&mut self) {
        let is_short = |since| self.now.wrapping_sub(since) < PEEK_MS;
        let asks = self.peek.is_some_and(is_short);
        self.forget_peek();
        if asks {
            self.ask_hint();
        }
    }

    /// Another screen covers the board.
    pub(crate) fn forget_peek(&mut self) {
        self.peek = None;
        self.mind.peek(false);
    }

    /// Takes in the machine's values of the moves or, in the scoring phase, of the pieces.
    pub(crate) fn told(&mut self, id: u32, thoughts: &[Thought], done: bool) {
        if self.appraised(id, thoughts, done) {
            return;
        }
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

    /// Whether the machine's cursor is on its way.
    pub(crate) fn is_travelling(&self) -> bool {
        self.pending.is_some_and(|pending| pending.home.is_some())
    }

    fn is_on_its_way(&self) -> bool {
        let glides = |(_, tween): (_, Tween)| tween.left(self.now).is_some();
        self.is_travelling() && self.motion.glide.is_some_and(glides)
    }

    /// Sends the machine's cursor to its move. Returns whether it starts now.
    fn travel(&mut self, answer: Answer) -> bool {
        let has_motion = self.has_motion();
        let (Some(pending), Some(board), Some(session)) =
            (&mut self.pending, &mut self.board, &self.session)
        else {
            return false;
        };
        if !has_motion || pending.home.is_some() || answer.index().is_none() {
            return false;
        }
        pending.home = Some(*board);
        self.motion.glide = Some((*board, Tween::new(self.now, TRAVEL_MS)));
        board.point_to(session.game(), answer.index());
        true
    }

    /// Gives the cursor back to the person.
    fn end_travel(&mut self) {
        if let Some(home) = self
            .pending
            .as_mut()
            .and_then(|pending| pending.home.take())
        {
            self.board = Some(home);
            self.motion.glide = None;
        }
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
            _ if self.mind.is_visible() => MIND_PACE_MS,
            Some(session) if session.has_person() => PACE_MS,
            _ => DEMO_PACE_MS,
        };
        let waited = self.now.wrapping_sub(asked);
        if !is_hint {
            // Its cursor arrives when the time is up, or later if the answer was late.
            if waited.saturating_add(TRAVEL_MS) >= pace && self.travel(answer) {
                return true;
            }
            if waited < pace || self.is_on_its_way() {
                return false;
            }
        }
        self.end_travel();
        self.pending = None;
        if is_hint {
            if let (Some(board), Some(session)) = (&mut self.board, &self.session) {
                let game = session.game();
                self.hint = answer.index().filter(|&index| game.is_legal(index));
                self.grounds = answer.grounds;
                board.point_to(game, self.hint);
            }
            self.sound(Cue::Reply);
        } else if let Decision::Play(index) = answer.decision {
            self.play(index);
        } else if let Some(session) = &self.session {
            self.resigned(Some(session.game().turn()));
        }
        true
    }
}
