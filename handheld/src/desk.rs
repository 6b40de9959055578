//! What all screens share: the running game, settings, and the talk with the thinking side.

use dojo_core::bank::BankError;
use dojo_core::belt::Belt;
use dojo_core::game::{Outcome, Player};
use dojo_core::games::pupil::Figures;
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking::Question;
use dojo_core::games::{AnyRules, GameId, go};
use dojo_core::players::belts::{Answer, Decision, Thought};
use dojo_core::rng::Rng;
use heapless::{Deque, String};

use crate::boards::{self, AnyBoard};
use crate::bout::Bout;
use crate::event::{
    Abilities, BankCard, Battery, BrainCard, Brains, Command, FlashTest, Order, Purpose, Slot,
};
use crate::lesson::{Lesson, State};
use crate::mind::MindView;
use crate::settlement::Settlement;
use crate::store::{Seat, Settings, Setup, Starter, Statistics};

/// The machine's moves appear this long after it was asked, so that a person can follow.
const PACE_MS: u32 = 450;
/// Two machines are given more time between moves.
const DEMO_PACE_MS: u32 = 900;

/// Thoughts that are shown want to be looked at before the move is made.
const MIND_PACE_MS: u32 = 1800;

/// Tones, as hertz and milliseconds.
pub(crate) mod tone {
    pub(crate) const CLICK: (u16, u16) = (1200, 8);
    pub(crate) const MOVE: (u16, u16) = (880, 40);
    pub(crate) const REPLY: (u16, u16) = (660, 40);
    pub(crate) const REFUSED: (u16, u16) = (180, 80);
    pub(crate) const WON: (u16, u16) = (1320, 250);
    pub(crate) const ENDED: (u16, u16) = (440, 250);
}

/// A question that the thinking side has not answered, or whose answer waits for its time.
#[derive(Clone, Copy)]
struct Pending {
    id: u32,
    asked: u32,
    is_hint: bool,
    answer: Option<Answer>,
}

/// The last question: the position is the one on the board. A question with its position takes more memory than all the
/// rest of what waits to be done.
#[derive(Clone, Copy)]
struct Asked {
    id: u32,
    belt: Belt,
    seed: u64,
    /// Moves played when it was asked.
    plies: usize,
    /// Advice for a person is always a move.
    is_hint: bool,
}

/// How fast the machine thinks, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpeedTest {
    Unknown,
    Running,
    Known { search: Speed, playouts: Speed },
}

/// What is known about the flash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlashState {
    Unknown,
    Running,
    Known(FlashTest),
}

/// The tones of the sound test, with their hertz.
pub(crate) const SCALE: [(&str, u16); 8] = [
    ("C5", 523),
    ("D5", 587),
    ("E5", 659),
    ("F5", 698),
    ("G5", 784),
    ("A5", 880),
    ("B5", 988),
    ("C6", 1047),
];
/// From one tone of the scale to the next, and how long each sounds.
const NOTE_MS: u32 = 300;
const NOTE_LENGTH_MS: u16 = 240;

/// A scale that is being played.
#[derive(Clone, Copy)]
struct Scale {
    begun: u32,
    /// Tones that were sent.
    notes: usize,
}

/// See the module.
pub(crate) struct Desk {
    pub(crate) settings: Settings,
    pub(crate) statistics: Statistics,
    pub(crate) bout: Option<Bout>,
    pub(crate) board: Option<AnyBoard>,
    pub(crate) hint: Option<u16>,
    pub(crate) mind: MindView,
    pub(crate) lesson: Option<Lesson>,
    pub(crate) brains: Brains,
    /// The game that a pupil is to be played at, now that it is kept.
    plays_pupil: Option<GameId>,
    /// Whether the board shows what its game can show besides the stones.
    pub(crate) overlay: bool,
    pub(crate) bank: Option<Result<BankCard, BankError>>,
    /// `None` where there is no gauge.
    pub(crate) battery: Option<Battery>,
    pub(crate) abilities: Abilities,
    pub(crate) flash: FlashState,
    scale: Option<Scale>,
    /// The model whose card is looked at.
    pub(crate) card: Option<BrainCard>,
    pub(crate) trouble: String<120>,
    pub(crate) speed: SpeedTest,
    pub(crate) seed: u64,
    pub(crate) now: u32,
    /// Of two people at a game with secrets, the side that has the device.
    pub(crate) holder: Option<Player>,
    pending: Option<Pending>,
    asked: Option<Asked>,
    next_id: u32,
    rng: Rng,
    /// The side that started the last game.
    last_first: Player,
    commands: Deque<Command, 16>,
}

impl Desk {
    pub(crate) fn new(seed: u64) -> Desk {
        Desk {
            settings: Settings::default(),
            statistics: Statistics::default(),
            bout: None,
            board: None,
            hint: None,
            mind: MindView::default(),
            lesson: None,
            brains: Brains::default(),
            plays_pupil: None,
            overlay: false,
            bank: None,
            battery: None,
            abilities: Abilities::default(),
            flash: FlashState::Unknown,
            scale: None,
            card: None,
            trouble: String::new(),
            speed: SpeedTest::Unknown,
            seed,
            now: 0,
            holder: None,
            pending: None,
            asked: None,
            next_id: 0,
            rng: Rng::new(seed),
            last_first: Player::Second,
            commands: Deque::new(),
        }
    }

    /// From now on all chance comes from this seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.rng = Rng::new(seed);
    }

    // Seats

    /// Who may sit on a side under these rules.
    pub(crate) fn choices(&self, rules: &AnyRules) -> impl Iterator<Item = Seat> + use<> {
        let id = rules.id();
        // Pupils learn the usual rules.
        let has_pupil = *rules == AnyRules::new(id) && self.brains.card(id).is_some();
        Seat::ALL
            .into_iter()
            .filter(move |&seat| has_pupil || seat != Seat::Pupil)
    }

    /// The last set-up of a game; where a pupil sits who is gone, or does not know the rules, a belt takes its seat.
    pub(crate) fn setup(&self, id: GameId) -> Setup {
        let mut setup = self.settings.setup(id);
        if !self.choices(&setup.rules).any(|seat| seat == Seat::Pupil) {
            for seat in setup.seats.iter_mut().filter(|seat| **seat == Seat::Pupil) {
                *seat = Seat::Machine(Belt::Yellow);
            }
        }
        setup
    }

    // Learning

    /// A new pupil begins to learn a game.
    pub(crate) fn begin_lesson(&mut self, game: GameId) {
        self.stop_thinking();
        self.next_id = self.next_id.wrapping_add(1);
        self.lesson = Some(Lesson::new(self.next_id, game, self.now));
        // Short enough to be written down from the brain card.
        let seed = u64::from(self.rng.next_u32());
        self.command(Command::Learn(Order::Begin {
            id: self.next_id,
            game,
            seed,
        }));
    }

    /// Gives an order about the pupil, which is then in this state.
    pub(crate) fn order_lesson(&mut self, order: Order, state: State) {
        if let Some(lesson) = &mut self.lesson {
            lesson.set_state(state, self.now);
            self.command(Command::Learn(order));
        }
    }

    pub(crate) fn end_lesson(&mut self) {
        if self.lesson.take().is_some() {
            self.command(Command::Learn(Order::End));
        }
    }

    /// A pupil tells how far it is.
    pub(crate) fn learned(&mut self, id: u32, figures: Figures, done: bool) {
        if let Some(lesson) = self.lesson.as_mut().filter(|lesson| lesson.id == id) {
            lesson.take_in(figures, done, self.now);
        }
    }

    /// What is kept has changed, or is told for the first time.
    pub(crate) fn take_brains(&mut self, brains: Brains) {
        self.brains = brains;
        if let Some(lesson) = &mut self.lesson
            && let State::Keeping { play } = lesson.state
        {
            lesson.set_state(State::Stopped, self.now);
            lesson.kept = brains.last == Some(lesson.game);
            if play && lesson.kept {
                self.play_pupil();
            }
        }
    }

    /// A game against the pupil that is kept.
    pub(crate) fn play_pupil(&mut self) {
        self.plays_pupil = self.lesson.as_ref().map(|lesson| lesson.game);
    }

    /// Starts the game against a pupil that was asked for. Returns whether there is one.
    pub(crate) fn takes_pupil_on(&mut self) -> bool {
        let Some(game) = self.plays_pupil.take() else {
            return false;
        };
        self.end_lesson();
        self.start(Setup {
            seats: [Seat::Person, Seat::Pupil],
            ..Setup::new(game)
        });
        true
    }

    // Commands

    pub(crate) fn command(&mut self, command: Command) {
        // Saves and beeps that wait already need not wait twice.
        if !matches!(command, Command::Save(_))
            || !self.commands.iter().any(|waiting| *waiting == command)
        {
            if self.commands.is_full() {
                self.commands.pop_front();
            }
            let _ = self.commands.push_back(command);
        }
    }

    pub(crate) fn next_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    pub(crate) fn beep(&mut self, (hertz, millis): (u16, u16)) {
        if self.settings.sound {
            self.command(Command::Beep { hertz, millis });
        }
    }

    // Games

    /// Starts a game as set up, and remembers the set-up.
    pub(crate) fn start(&mut self, setup: Setup) {
        self.stop_thinking();
        let setup = Setup {
            rules: setup.rules.dealt(|| self.rng.next_u64()),
            ..setup
        };
        self.settings.last = setup.rules.id();
        self.settings.set_setup(setup);
        self.command(Command::Save(Slot::Settings));
        let first = match setup.starter {
            Starter::One => Player::First,
            Starter::Two => Player::Second,
            Starter::Turns => !self.last_first,
        };
        self.last_first = first;
        self.take_up(Bout::new(setup, first));
        self.command(Command::Save(Slot::Game));
    }

    /// Puts a game on the board.
    pub(crate) fn take_up(&mut self, bout: Bout) {
        self.last_first = bout.first_side();
        self.holder = None;
        self.board = Some(AnyBoard::new(bout.game()));
        self.hint = None;
        self.mind.forget();
        self.bout = Some(bout);
    }

    /// The game is left for good.
    pub(crate) fn drop_bout(&mut self) {
        self.stop_thinking();
        self.bout = None;
        self.command(Command::Save(Slot::Game));
    }

    /// Whether a game waits to be continued.
    pub(crate) fn has_running_bout(&self) -> bool {
        self.bout
            .as_ref()
            .is_some_and(|bout| bout.outcome().is_none())
    }

    pub(crate) fn play(&mut self, mv: u16) {
        let Some(bout) = &mut self.bout else { return };
        let by_person = bout.mover() == Seat::Person;
        if bout.play(mv).is_err() {
            self.beep(tone::REFUSED);
            return;
        }
        self.moved();
        self.beep(if by_person { tone::MOVE } else { tone::REPLY });
    }

    /// The side to move, if the device has to be passed to it before it may see its secrets.
    pub(crate) fn next_holder(&self) -> Option<Player> {
        let bout = self
            .bout
            .as_ref()
            .filter(|bout| bout.setup().seats == [Seat::Person; 2])?;
        let hides = bout.game().outcome().is_none() && boards::has_secrets(bout.game());
        Some(bout.side_of(bout.game().turn())).filter(|&side| hides && self.holder != Some(side))
    }

    /// Takes back to the last decision of a person.
    pub(crate) fn undo(&mut self) {
        self.stop_thinking();
        let done = self.bout.as_mut().is_some_and(Bout::undo);
        self.moved();
        self.beep(if done { tone::MOVE } else { tone::REFUSED });
    }

    /// Somebody has said something about the end of the game.
    fn say(&mut self, settlement: Settlement) {
        if let Some(bout) = &mut self.bout
            && bout.settlement != settlement
        {
            bout.settlement = settlement;
            if bout.outcome().is_some() {
                self.moved();
            }
            self.command(Command::Save(Slot::Game));
        }
    }

    /// A person gives up.
    pub(crate) fn resign(&mut self) {
        self.stop_thinking();
        if let Some(bout) = &self.bout {
            self.say(Settlement {
                resigned: bout.resigner(),
                ..bout.settlement
            });
        }
    }

    /// A person says that the stones around a point are dead, or that they are not.
    pub(crate) fn toggle_dead(&mut self, point: go::Point) {
        let Some(bout) = &self.bout else { return };
        let mut settlement = bout.settlement;
        let toggled = bout
            .to_count()
            .is_some_and(|game| settlement.toggle(game, point));
        self.say(settlement);
        self.beep(if toggled { tone::MOVE } else { tone::REFUSED });
    }

    /// A person lets the count stand.
    pub(crate) fn agree(&mut self) {
        self.stop_thinking();
        if let Some(bout) = &self.bout {
            self.say(Settlement {
                agreed: true,
                judged: true,
                ..bout.settlement
            });
        }
    }

    /// A person goes on playing instead of counting.
    pub(crate) fn play_on(&mut self) {
        self.stop_thinking();
        let done = self.bout.as_mut().is_some_and(Bout::play_on);
        self.moved();
        self.beep(if done { tone::MOVE } else { tone::REFUSED });
    }

    /// Goes on from the position after `plies` moves.
    pub(crate) fn branch(&mut self, plies: usize) {
        if let Some(bout) = &mut self.bout {
            bout.rewind(plies);
            self.moved();
        }
    }

    /// The two sides change places in the running game.
    pub(crate) fn swap_sides(&mut self) {
        if let Some(bout) = &mut self.bout {
            bout.swap_seats();
            self.hint = None;
            self.mind.forget();
            self.command(Command::Save(Slot::Game));
        }
    }

    /// Another player takes the only machine's seat, in this game and as the set-up of the next.
    pub(crate) fn change_machine(&mut self, seat: Seat) {
        let Some(bout) = &mut self.bout else { return };
        let Some((side, _)) = bout.only_machine() else {
            return;
        };
        bout.set_seat(side, seat);
        self.mind.forget();
        let setup = bout.setup();
        self.settings.set_setup(setup);
        self.command(Command::Save(Slot::Settings));
        self.command(Command::Save(Slot::Game));
    }

    /// The position changed: what belonged to the old one is forgotten, the new one is kept, and an end is counted.
    fn moved(&mut self) {
        self.hint = None;
        self.mind.forget();
        let Some(bout) = &mut self.bout else { return };
        if let Some(board) = &mut self.board {
            board.point_to(bout.game(), None);
        }
        if let Some(outcome) = bout.outcome()
            && !core::mem::replace(&mut bout.counted, true)
            && let Some((side, Seat::Machine(belt))) = bout.only_machine()
        {
            let person = bout.side_of(!side);
            let id = bout.game().id();
            self.statistics.count(id, belt, outcome.value_for(person));
            self.command(Command::Save(Slot::Statistics));
        }
        self.command(Command::Save(Slot::Game));
    }

    /// The value of the result for the only person, or 0 where that is not one side.
    pub(crate) fn value_for_person(&self, outcome: Outcome) -> i8 {
        let Some(bout) = &self.bout else { return 0 };
        bout.only_machine()
            .map_or(0, |(side, _)| outcome.value_for(bout.side_of(!side)))
    }

    // Thinking

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
            .bout
            .as_ref()
            .is_some_and(|bout| bout.is_on() && bout.mover() == Seat::Person);
        if !person_moves || self.pending.is_some() || self.next_holder().is_some() {
            self.beep(tone::REFUSED);
            return;
        }
        self.mind.interrupt();
        self.ask(Seat::Machine(Belt::Black), true);
        if let Some(bout) = &mut self.bout {
            bout.hints = bout.hints.saturating_add(1);
        }
    }

    /// Asks for the machine's move if it is its turn and it was not asked yet, for its mind if that is shown, and at the
    /// end of a game for its judgement if nobody has judged yet.
    pub(crate) fn ask_if_due(&mut self) {
        let Some(bout) = &self.bout else { return };
        if bout.to_count().is_some() && !bout.settlement.judged && !self.mind.is_asked() {
            self.send(Seat::Machine(Belt::Black), Purpose::Mind, false);
            return;
        }
        if self.pending.is_some() || !bout.is_on() {
            return;
        }
        match bout.mover() {
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
        if let Some(bout) = &self.bout {
            // A pupil is all that its brain is: no slips, and nothing but the brain.
            let belt = seat.belt().unwrap_or(Belt::Black);
            self.asked = Some(Asked {
                id,
                belt,
                seed: self.rng.next_u64(),
                plies: bout.moves().len(),
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
        let (asked, bout) = (
            self.asked.filter(|asked| asked.id == id)?,
            self.bout.as_ref()?,
        );
        let Asked {
            belt,
            seed,
            plies,
            is_hint,
            ..
        } = asked;
        (bout.moves().len() == plies).then_some(Question {
            game: *bout.game(),
            belt,
            seed,
            may_resign: !is_hint,
        })
    }

    /// Whose mind is shown: of the machine that moves, else of the opponent, else of the strongest.
    pub(crate) fn thinker(&self) -> Seat {
        let strongest = Seat::Machine(Belt::Black);
        let Some(bout) = &self.bout else {
            return strongest;
        };
        match bout.mover() {
            Seat::Person => bout.only_machine().map_or(strongest, |(_, seat)| seat),
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

    /// The machine has told what it thinks of the moves or, where stones wait to be counted, of them.
    pub(crate) fn told(&mut self, id: u32, thoughts: &[Thought], done: bool) {
        self.mind.take_in(id, thoughts, done);
        if !self.mind.is_done() {
            return;
        }
        let Some(bout) = &mut self.bout else { return };
        let mut settlement = bout.settlement;
        let Some(game) = bout.to_count() else { return };
        settlement.judge(game, self.mind.thoughts());
        // Machines do not argue.
        settlement.agreed = !bout.has_person();
        self.say(settlement);
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
        let pace = match &self.bout {
            _ if self.mind.is_on() => MIND_PACE_MS,
            Some(bout) if bout.has_person() => PACE_MS,
            _ => DEMO_PACE_MS,
        };
        if !is_hint && self.now.wrapping_sub(asked) < pace {
            return false;
        }
        self.pending = None;
        if is_hint {
            self.hint = answer.index();
            if let (Some(board), Some(bout)) = (&mut self.board, &self.bout) {
                board.point_to(bout.game(), self.hint);
            }
            self.beep(tone::REPLY);
        } else if let Decision::Play(index) = answer.decision {
            self.play(index);
        } else if let Some(bout) = &self.bout {
            self.say(Settlement {
                resigned: Some(bout.game().turn()),
                ..bout.settlement
            });
        }
        true
    }

    /// Has the speed measured, once at a time.
    pub(crate) fn measure(&mut self) {
        if self.speed != SpeedTest::Running {
            self.speed = SpeedTest::Running;
            self.command(Command::Measure);
        }
    }

    pub(crate) fn measured(&mut self, search: Speed, playouts: Speed) {
        self.speed = SpeedTest::Known { search, playouts };
    }

    // Self-test

    /// Has the flash tested, once at a time.
    pub(crate) fn test_flash(&mut self) {
        if self.flash != FlashState::Running {
            self.flash = FlashState::Running;
            self.command(Command::TestFlash);
        }
    }

    /// Plays the scale from its first tone, also where sound is off.
    pub(crate) fn play_scale(&mut self) {
        self.scale = Some(Scale {
            begun: self.now,
            notes: 0,
        });
        self.go_on_with_scale();
    }

    pub(crate) fn stop_scale(&mut self) {
        self.scale = None;
    }

    /// The tone of the scale that was played last, while it is played.
    pub(crate) fn note(&self) -> Option<usize> {
        self.scale?.notes.checked_sub(1)
    }

    /// Plays the next tone when it is time. Returns whether something changed.
    pub(crate) fn go_on_with_scale(&mut self) -> bool {
        let Some(scale) = &mut self.scale else {
            return false;
        };
        let due = (self.now.wrapping_sub(scale.begun) / NOTE_MS) as usize;
        if due < scale.notes {
            return false;
        }
        match SCALE.get(scale.notes) {
            Some(&(_, hertz)) => {
                scale.notes += 1;
                self.command(Command::Beep {
                    hertz,
                    millis: NOTE_LENGTH_MS,
                });
            }
            None => self.scale = None,
        }
        true
    }

    // Words

    /// What a side is called.
    pub(crate) fn name(&self, side: Player) -> &'static str {
        match self
            .bout
            .as_ref()
            .map(|bout| (bout.seat(side), bout.seat(!side)))
        {
            Some((seat @ (Seat::Machine(_) | Seat::Pupil), _)) => seat.title(),
            Some((Seat::Person, Seat::Machine(_) | Seat::Pupil)) => "You",
            _ => ["Player 1", "Player 2"][side.index()],
        }
    }

    pub(crate) fn game_id(&self) -> GameId {
        self.bout
            .as_ref()
            .map_or(self.settings.last, |bout| bout.game().id())
    }
}
