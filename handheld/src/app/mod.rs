//! The state that all screens share: the running game, the settings, and the commands that wait to
//! be carried out.

use dojo_core::bank::BankError;
use dojo_core::belt::Belt;
use dojo_core::game::{Outcome, Player};
use dojo_core::games::thinking::{MAX_ANCESTORS, ancestor};
use dojo_core::games::{AnyGame, AnyRules, GameId};
use dojo_core::players::belts::Grounds;
use dojo_core::rng::Rng;
use embedded_graphics::primitives::Rectangle;
use heapless::{Deque, String};

use crate::appraisal::Appraisal;
use crate::apprentice::Apprentice;
use crate::boards::{self, AnyBoard, Marks};
use crate::event::{Abilities, BankCard, Battery, BrainCard, Brains, Command, Slot};
use crate::exercise::{ExerciseState, PuzzleStars};
use crate::lesson::Lesson;
use crate::mind::MindView;
use crate::motion::{BoardMotion, GLIDE_MS, LAND_MS, Tween};
use crate::scoring::Scoring;
use crate::session::Session;
use crate::sound::Cue;
use crate::store::{Seat, Settings, Setup, Starter, Statistics};
use crate::strength::strength;
use crate::words;

mod apprentice;
mod exercises;
mod lessons;
mod pondering;
mod running;
mod self_test;
mod thinking;

pub(crate) use running::Summary;
pub(crate) use self_test::{FlashState, SCALE, SpeedTest};

use pondering::Ponder;
use self_test::Scale;
use thinking::{Asked, Pending};

pub(crate) struct AppState {
    pub(crate) settings: Settings,
    pub(crate) statistics: Statistics,
    /// The game in memory: the running one of its kind, a finished one, or a guest.
    pub(crate) session: Option<Session>,
    /// Whether that game is only looked at and never stored.
    is_guest: bool,
    /// The running games that storage alone has.
    stored: [Option<Summary>; GameId::ALL.len()],
    /// The one that was asked for.
    loading: Option<GameId>,
    /// Whether the finished game was asked for.
    loads_finished: bool,
    /// The belt that the last game has earned, until the ceremony.
    pub(crate) earned: Option<(GameId, Belt)>,
    pub(crate) board: Option<AnyBoard>,
    pub(crate) hint: Option<u16>,
    /// Why it was given.
    pub(crate) grounds: Grounds,
    pub(crate) mind: MindView,
    pub(crate) lesson: Option<Lesson>,
    pub(crate) brains: Brains,
    pub(crate) apprentice: Apprentice,
    pub(crate) appraisal: Appraisal,
    /// The puzzle or step of a lesson on the screen.
    pub(crate) exercise: Option<ExerciseState>,
    pub(crate) puzzle_stars: PuzzleStars,
    /// Whether nothing was ever saved: the person may be new to the handheld.
    pub(crate) is_new: bool,
    /// The game to start against the kept pupil, once the console settles.
    plays_pupil: Option<GameId>,
    /// Whether the board shows its [`boards::Board::OVERLAY`].
    pub(crate) overlay: bool,
    pub(crate) bank: Option<Result<BankCard, BankError>>,
    /// `None` where there is no gauge.
    pub(crate) battery: Option<Battery>,
    pub(crate) abilities: Abilities,
    pub(crate) flash: FlashState,
    scale: Option<Scale>,
    /// The brain card on the screen.
    pub(crate) card: Option<BrainCard>,
    pub(crate) trouble: String<120>,
    pub(crate) speed: SpeedTest,
    pub(crate) seed: u64,
    pub(crate) now: u32,
    /// Of two people at a game with secrets, the side that has the device.
    pub(crate) holder: Option<Player>,
    pending: Option<Pending>,
    /// What is thought about on the person's time.
    ponder: Option<Ponder>,
    /// Progress of the open question, in thousandths of its budget.
    share: u16,
    /// Since when X has been held on the board.
    peek: Option<u32>,
    asked: Option<Asked>,
    next_id: u32,
    rng: Rng,
    /// The side that started the last game.
    last_first: Player,
    commands: Deque<Command, 16>,
    /// The cue of the event that is being handled.
    cue: Option<Cue>,
    pub(crate) motion: BoardMotion,
    /// Whether X is down: with Y it switches the sound.
    pub(crate) x_is_down: bool,
    /// A short message over the picture, and since when.
    pub(crate) notice: Option<(&'static str, u32)>,
}

impl AppState {
    pub(crate) fn new(seed: u64) -> AppState {
        AppState {
            settings: Settings::default(),
            statistics: Statistics::default(),
            session: None,
            is_guest: false,
            stored: [None; _],
            loading: None,
            loads_finished: false,
            earned: None,
            board: None,
            hint: None,
            grounds: Grounds::default(),
            mind: MindView::default(),
            lesson: None,
            brains: Brains::default(),
            apprentice: Apprentice::default(),
            appraisal: Appraisal::default(),
            exercise: None,
            puzzle_stars: PuzzleStars::default(),
            is_new: true,
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
            ponder: None,
            share: 0,
            peek: None,
            asked: None,
            next_id: 0,
            rng: Rng::new(seed),
            last_first: Player::Second,
            commands: Deque::new(),
            cue: None,
            motion: BoardMotion::default(),
            x_is_down: false,
            notice: None,
        }
    }

    /// Starts the random generator anew from this seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.rng = Rng::new(seed);
    }

    // Seats

    /// Who may take a seat under these rules.
    pub(crate) fn choices(&self, rules: &AnyRules) -> impl Iterator<Item = Seat> + use<> {
        let id = rules.id();
        // Pupils and apprentices know the usual rules only.
        let is_usual = *rules == AnyRules::new(id);
        let has_pupil = is_usual && self.brains.card(id).is_some();
        let has_apprentice = is_usual && self.rivalry(id).is_some();
        let rules = *rules;
        let ancestors = (0..MAX_ANCESTORS as u8)
            .filter(move |&number| ancestor(rules, number).is_some())
            .map(Seat::Ancestor);
        Seat::ALL
            .into_iter()
            .filter(move |&seat| match seat {
                Seat::Pupil => has_pupil,
                Seat::Apprentice => has_apprentice,
                Seat::Person | Seat::Machine(_) | Seat::Ancestor(_) => true,
            })
            .chain(ancestors)
    }

    /// The last set-up of a game. A belt replaces a pupil that is not kept any more, and a player
    /// that does not know these rules.
    pub(crate) fn setup(&self, id: GameId) -> Setup {
        let setup = self.settings.setup(id);
        let may_sit = |seat| self.choices(&setup.rules).any(|choice| choice == seat);
        let seats = setup.seats.map(|seat| match may_sit(seat) {
            true => seat,
            false => Seat::Machine(Belt::Yellow),
        });
        Setup { seats, ..setup }
    }

    // Commands

    pub(crate) fn command(&mut self, command: Command) {
        // One save of a slot is enough, however often it changes before: the last one, so that
        // statistics are written before the game whose result they have.
        if matches!(command, Command::Save(_)) {
            self.commands.retain(|waiting| *waiting != command);
        }
        if self.commands.is_full() {
            self.commands.pop_front();
        }
        let _ = self.commands.push_back(command);
    }

    pub(crate) fn next_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    /// Sounds at the end of the event, unless a more important cue comes until then.
    pub(crate) fn sound(&mut self, cue: Cue) {
        self.cue = self.cue.max(Some(cue));
    }

    /// Plays the cue of the event.
    pub(crate) fn play_cue(&mut self) {
        if let Some(cue) = self.cue.take().filter(|_| self.settings.sound) {
            self.command(Command::Play {
                notes: cue.notes(),
                volume: self.settings.comfort.volume,
            });
        }
    }

    /// Switches the sound off or on, and says so.
    pub(crate) fn switch_sound(&mut self) {
        self.peek = None;
        self.settings.sound = !self.settings.sound;
        self.command(Command::Save(Slot::Settings));
        let words = words::SOUND_SWITCHED[usize::from(self.settings.sound)];
        self.notice = Some((words, self.now));
        self.sound(Cue::Move);
    }

    /// Ends the notice after some time. Returns whether it ends now.
    pub(crate) fn end_notice(&mut self, after: u32) -> bool {
        let is_over = |since| self.now.wrapping_sub(since) >= after;
        self.notice.take_if(|(_, since)| is_over(*since)).is_some()
    }

    /// The cue of a result: between two people, or two machines, somebody wins.
    pub(crate) fn sound_result(&mut self, outcome: Outcome) {
        let machine = self.session.as_ref().and_then(Session::only_machine);
        let belt = machine.and_then(|(_, seat)| seat.belt());
        let cue = match (machine, self.value_for_person(outcome)) {
            (None, _) => Cue::Won(Belt::White),
            (_, 1..) => Cue::Won(belt.unwrap_or(Belt::White)),
            (_, 0) => Cue::NearMiss,
            (_, _) => Cue::Lost,
        };
        self.sound(cue);
    }

    /// Whether things move on the screen.
    pub(crate) fn has_motion(&self) -> bool {
        self.abilities.motion && self.settings.comfort.motion
    }

    // Games

    /// Starts a game as set up, and remembers the set-up.
    pub(crate) fn start(&mut self, setup: Setup) {
        self.stop_thinking();
        self.is_new = false;
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
        let mut session = Session::new(setup, first);
        session.results = Some(self.results(self.settings.last));
        self.take_up(session);
        self.save_game();
        self.sound(Cue::Start);
    }

    /// Puts a game on the board as the running one of its kind.
    pub(crate) fn take_up(&mut self, session: Session) {
        self.leave_session();
        self.forget_stored(session.game().id());
        self.loading = None;
        self.put_on_board(session);
    }

    /// Puts a game on the board that is only looked at: the running one of its kind stays stored.
    pub(crate) fn take_up_guest(&mut self, session: Session) {
        self.stop_thinking();
        self.leave_session();
        self.put_on_board(session);
        self.is_guest = true;
    }

    fn put_on_board(&mut self, session: Session) {
        self.appraisal.forget();
        self.motion = BoardMotion::default();
        self.last_first = session.first_side();
        self.holder = None;
        self.board = Some(AnyBoard::new(session.game()));
        self.hint = None;
        self.mind.forget();
        self.session = Some(session);
    }

    /// Abandons the game.
    pub(crate) fn drop_session(&mut self) {
        self.stop_thinking();
        self.save_game();
        self.session = None;
    }

    /// Asks for the game in memory to be stored.
    fn save_game(&mut self) {
        let id = self.session.as_ref().map(|session| session.game().id());
        if let Some(id) = id.filter(|_| !self.is_guest) {
            self.command(Command::Save(Slot::Game(id)));
        }
    }

    pub(crate) fn play(&mut self, mv: u16) {
        let Some(session) = &mut self.session else {
            return;
        };
        let by_person = session.mover() == Seat::Person;
        let taken = boards::taken(session.game(), mv);
        if session.play(mv).is_err() {
            self.sound(Cue::Refused);
            return;
        }
        self.moved();
        if self.has_motion() {
            self.motion.landing = Some((taken, Tween::new(self.now, LAND_MS)));
        }
        self.sound(match (taken.is_empty(), by_person) {
            (false, _) => Cue::Capture,
            (true, true) => Cue::Move,
            (true, false) => Cue::Reply,
        });
    }

    /// The cursor comes from where it is on this board.
    pub(crate) fn glide(&mut self, from: AnyBoard) {
        self.motion.glide = Some((from, Tween::new(self.now, GLIDE_MS)));
    }

    /// Adds to the marks of a board in this area what moves on it at the moment.
    pub(crate) fn moving<'a>(
        &self,
        mut marks: Marks<'a>,
        game: &AnyGame,
        board: &AnyBoard,
        area: Rectangle,
        roomy: bool,
    ) -> Marks<'a> {
        if let Some((before, tween)) = &self.motion.glide
            && let Some(left) = tween.left(self.now)
            && let Some(from) = before.spot(game, area, roomy)
            && let Some(to) = board.spot(game, area, roomy)
        {
            marks.drift = (from - to) * left / 1000;
        }
        if let Some((taken, tween)) = self.motion.landing
            && let Some(left) = tween.left(self.now)
        {
            (marks.taken, marks.landing) = (taken, left);
        }
        marks
    }

    /// The side to move, if the device has to be passed to it before it may see its secrets.
    pub(crate) fn next_holder(&self) -> Option<Player> {
        let session = self
            .session
            .as_ref()
            .filter(|session| session.setup().seats == [Seat::Person; 2])?;
        let hides = session.game().outcome().is_none() && boards::has_secrets(session.game());
        Some(session.side_of(session.game().turn()))
            .filter(|&side| hides && self.holder != Some(side))
    }

    /// Takes back to the last decision of a person.
    pub(crate) fn undo(&mut self) {
        self.stop_thinking();
        let done = self.session.as_mut().is_some_and(Session::undo);
        self.moved();
        self.sound(if done { Cue::Move } else { Cue::Refused });
    }

    /// A player gives up.
    pub(super) fn resigned(&mut self, player: Option<Player>) {
        if let Some(session) = &mut self.session
            && player.is_some()
            && session.resigned != player
        {
            session.resigned = player;
            self.moved();
        }
    }

    /// A person gives up.
    pub(crate) fn resign(&mut self) {
        self.stop_thinking();
        self.resigned(self.session.as_ref().and_then(Session::resigner));
    }

    /// Changes what the players have agreed on in the scoring phase.
    pub(super) fn set_scoring(&mut self, scoring: Scoring) {
        if let Some(session) = &mut self.session
            && session.scoring != scoring
        {
            session.scoring = scoring;
            if session.outcome().is_some() {
                self.moved();
            }
            self.save_game();
        }
    }

    /// A person marks a place in the scoring phase, or clears its mark.
    pub(crate) fn toggle_mark(&mut self, place: u16) {
        let Some(session) = self.session.as_ref().filter(|session| session.is_scored()) else {
            return;
        };
        let mut scoring = session.scoring;
        let toggled = scoring.toggle(session.game(), place);
        self.set_scoring(scoring);
        self.sound(if toggled { Cue::Move } else { Cue::Refused });
    }

    /// A person lets the score stand.
    pub(crate) fn agree(&mut self) {
        self.stop_thinking();
        if let Some(session) = &self.session {
            self.set_scoring(Scoring {
                agreed: true,
                judged: true,
                ..session.scoring
            });
        }
    }

    /// A person goes on playing instead of scoring.
    pub(crate) fn play_on(&mut self) {
        self.stop_thinking();
        let done = self.session.as_mut().is_some_and(Session::play_on);
        self.moved();
        self.sound(if done { Cue::Move } else { Cue::Refused });
    }

    /// Goes on from the position after `plies` moves.
    pub(crate) fn branch(&mut self, plies: usize) {
        if let Some(id) = self.session.as_ref().map(|session| session.game().id()) {
            self.is_guest = false;
            self.forget_stored(id);
            if self.settings.last != id {
                self.settings.last = id;
                self.command(Command::Save(Slot::Settings));
            }
        }
        if let Some(session) = &mut self.session {
            session.rewind(plies);
            session.altered = true;
            self.moved();
        }
    }

    /// The two sides change places in the running game.
    pub(crate) fn swap_sides(&mut self) {
        if let Some(session) = &mut self.session {
            session.swap_seats();
            self.hint = None;
            self.mind.forget();
            self.save_game();
        }
    }

    /// Another player takes the only machine's seat, in this game and as the set-up of the next.
    pub(crate) fn change_machine(&mut self, seat: Seat) {
        let Some(session) = &mut self.session else {
            return;
        };
        let Some((side, _)) = session.only_machine() else {
            return;
        };
        session.set_seat(side, seat);
        self.mind.forget();
        let setup = session.setup();
        self.settings.set_setup(setup);
        self.command(Command::Save(Slot::Settings));
        self.save_game();
    }

    /// Follows a change of the position: drops hint and values, saves the game, and counts its
    /// result if it has ended.
    fn moved(&mut self) {
        self.appraisal.forget();
        self.motion = BoardMotion::default();
        self.hint = None;
        self.mind.forget();
        let Some(session) = &mut self.session else {
            return;
        };
        if let Some(board) = &mut self.board {
            board.point_to(session.game(), None);
        }
        if let Some(outcome) = session.outcome()
            && !self.is_guest
            && !core::mem::replace(&mut session.counted, true)
            && let Some((side, seat)) = session.only_machine()
        {
            let value = outcome.value_for(session.side_of(!side));
            match seat {
                Seat::Machine(belt) => self.finish_challenge(belt, value),
                Seat::Apprentice => self.finish_rivalry(outcome, value),
                Seat::Person | Seat::Pupil | Seat::Ancestor(_) => {}
            }
        }
        if self
            .session
            .as_ref()
            .is_some_and(|session| !session.is_running())
        {
            self.command(Command::Save(Slot::Finished));
        }
        self.save_game();
    }

    /// A game against a belt has ended: it is counted, and may earn the belt.
    fn finish_challenge(&mut self, belt: Belt, value: i8) {
        let Some(session) = &self.session else { return };
        let rules = session.setup().rules;
        self.statistics.count(rules.id(), belt, value);
        let is_clean_win = value > 0 && session.is_clean();
        if strength(&rules, belt).is_some()
            && self
                .statistics
                .count_challenge(rules.id(), belt, is_clean_win)
        {
            self.earned = Some((rules.id(), belt));
        }
        self.command(Command::Save(Slot::Statistics));
    }

    /// The value of the result for the person against a machine; 0 between two people or two
    /// machines.
    pub(crate) fn value_for_person(&self, outcome: Outcome) -> i8 {
        let Some(session) = &self.session else {
            return 0;
        };
        session
            .only_machine()
            .map_or(0, |(side, _)| outcome.value_for(session.side_of(!side)))
    }

    /// Forgets all results and belts.
    pub(crate) fn reset_statistics(&mut self) {
        self.statistics = Statistics::default();
        self.earned = None;
        // A running game notes the results before its own.
        let results = self.results(self.game_id());
        if let Some(session) = &mut self.session {
            session.results = Some(results);
        }
        self.command(Command::Save(Slot::Statistics));
        self.save_game();
    }

    // Words

    /// The name of a side on the screen.
    pub(crate) fn name(&self, side: Player) -> &str {
        match self
            .session
            .as_ref()
            .map(|session| (session.seat(side), session.seat(!side)))
        {
            Some((Seat::Person, Seat::Person)) | None => words::PLAYERS[side.index()],
            Some((Seat::Person, _)) => words::YOU,
            Some((seat, _)) => self.title(seat, self.game_id()),
        }
    }

    /// The name of somebody who plays, the one that the person gave if there is one.
    pub(crate) fn title(&self, seat: Seat, game: GameId) -> &str {
        let own = self.rivalry(game).map(|rivalry| rivalry.name());
        let own = own.filter(|name| seat == Seat::Apprentice && !name.is_empty());
        own.unwrap_or(seat.title(game))
    }

    pub(crate) fn game_id(&self) -> GameId {
        self.session
            .as_ref()
            .map_or(self.settings.last, |session| session.game().id())
    }
}
