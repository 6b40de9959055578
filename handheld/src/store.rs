//! Settings, statistics and a running game as bytes for storage.
//!
//! Each value starts with the version of its layout. Damaged bytes are refused as a whole; the
//! console says so and keeps the values it has.

use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::thinking::{MAX_ANCESTORS, ancestor_of};
use dojo_core::games::{AnyRules, GameId};
use heapless::Vec;
use serde::{Deserialize, Serialize};

use crate::app::Summary;
use crate::earned::Challenge;
use crate::scoring::Scoring;
use crate::session::Session;
use crate::wire::{whole, write};
use crate::words;

/// Enough for every slot: the longest is a game of iwoki, with three bytes a move.
pub const MAX_BYTES: usize = 640;

/// The layout of all slots; newer bytes are refused.
const VERSION: u8 = 1;
/// The layout of the settings: version 2 appends [`PowerOff`] to version 1, version 3 [`Comfort`].
const SETTINGS_VERSION: u8 = 3;
/// The layout before [`Comfort`].
const SETTINGS_VERSION_2: u8 = 2;
/// The layout of the statistics: version 2 appends the challenges to version 1.
const STATISTICS_VERSION: u8 = 2;
/// The layout of a running game: version 2 appends [`KeptResult`] to version 1, version 3 whether
/// it was altered.
const GAME_VERSION: u8 = 3;
/// The layout before that.
const GAME_VERSION_2: u8 = 2;

const GAMES: usize = GameId::ALL.len();

/// Who sits on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Seat {
    /// A person.
    Person,
    /// The machine.
    Machine(Belt),
    /// The brain that the player trained and kept.
    Pupil,
    /// A published player of the game, by its number.
    Ancestor(u8),
    /// The one that learns from its games against the player.
    Apprentice,
}

impl Seat {
    /// Most seats that can be chosen in any game.
    pub(crate) const MOST: usize = Seat::ALL.len() + MAX_ANCESTORS;

    /// All seats that can be chosen in every game; the ancestors of the game follow.
    pub(crate) const ALL: [Seat; 8] = [
        Seat::Person,
        Seat::Machine(Belt::White),
        Seat::Machine(Belt::Yellow),
        Seat::Machine(Belt::Green),
        Seat::Machine(Belt::Brown),
        Seat::Machine(Belt::Black),
        Seat::Pupil,
        Seat::Apprentice,
    ];

    /// The belt, if the machine wears one here.
    pub fn belt(self) -> Option<Belt> {
        match self {
            Seat::Machine(belt) => Some(belt),
            Seat::Person | Seat::Pupil | Seat::Ancestor(_) | Seat::Apprentice => None,
        }
    }

    /// The number of the published player who sits here.
    pub(crate) fn ancestor(self) -> Option<u8> {
        match self {
            Seat::Ancestor(number) => Some(number),
            _ => None,
        }
    }

    /// Its name on the screen.
    pub fn title(self, game: GameId) -> &'static str {
        match self {
            Seat::Person => words::A_PERSON,
            Seat::Machine(belt) => words::belt(belt),
            Seat::Pupil => words::PUPIL,
            Seat::Ancestor(number) => {
                ancestor_of(game, number).map_or(words::ANCESTOR, |ancestor| ancestor.name)
            }
            Seat::Apprentice => words::APPRENTICE,
        }
    }

    /// The next of these choices; wraps around.
    pub(crate) fn stepped(self, forward: bool, choices: &[Seat]) -> Seat {
        let all = choices.len().max(1);
        let now = choices.iter().position(|&seat| seat == self).unwrap_or(0);
        let next = (now + if forward { 1 } else { all - 1 }) % all;
        choices.get(next).copied().unwrap_or(self)
    }
}

/// Who makes the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Starter {
    /// Always the first side.
    One,
    /// Always the second side.
    Two,
    /// In turn: whoever did not start the last game.
    Turns,
}

impl Starter {
    pub(crate) fn stepped(self, forward: bool) -> Starter {
        match (self, forward) {
            (Starter::One, true) | (Starter::Turns, false) => Starter::Two,
            (Starter::Two, true) | (Starter::One, false) => Starter::Turns,
            (Starter::Turns, true) | (Starter::Two, false) => Starter::One,
        }
    }
}

/// How a game is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The game and its options.
    pub rules: AnyRules,
    /// Who sits on the first and the second side.
    pub seats: [Seat; 2],
    /// Which side starts.
    pub starter: Starter,
}

impl Setup {
    /// You against the yellow belt, taking turns to start.
    pub fn new(id: GameId) -> Setup {
        Setup {
            rules: AnyRules::new(id),
            seats: [Seat::Person, Seat::Machine(Belt::Yellow)],
            starter: Starter::Turns,
        }
    }
}

/// Whether an OLED needs the picture moved by two columns, as an SH1106 does.
///
/// Older saves have a `bool` here: `true` reads as `Yes`, and `false`, the default then, as `Auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shift {
    /// As the display says.
    Auto,
    /// It does, whatever it says.
    Yes,
    /// It does not.
    No,
}

impl Shift {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Shift::Auto => words::SHIFTS[0],
            Shift::Yes => words::SHIFTS[1],
            Shift::No => words::SHIFTS[2],
        }
    }

    pub(crate) fn stepped(self, forward: bool) -> Shift {
        match (self, forward) {
            (Shift::Auto, true) | (Shift::No, false) => Shift::Yes,
            (Shift::Yes, true) | (Shift::Auto, false) => Shift::No,
            (Shift::No, true) | (Shift::Yes, false) => Shift::Auto,
        }
    }
}

/// How long after the last press the device switches itself off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PowerOff {
    /// It stays dark instead.
    Never,
    /// After 10 minutes.
    #[default]
    Soon,
    /// After 30 minutes.
    Later,
    /// After an hour.
    Late,
}

impl PowerOff {
    const ALL: [PowerOff; 4] = [
        PowerOff::Never,
        PowerOff::Soon,
        PowerOff::Later,
        PowerOff::Late,
    ];

    /// Minutes after the last press, unless it is never.
    pub fn minutes(self) -> Option<u32> {
        match self {
            PowerOff::Never => None,
            PowerOff::Soon => Some(10),
            PowerOff::Later => Some(30),
            PowerOff::Late => Some(60),
        }
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            PowerOff::Never => words::POWER_OFF_AFTER[0],
            PowerOff::Soon => words::POWER_OFF_AFTER[1],
            PowerOff::Later => words::POWER_OFF_AFTER[2],
            PowerOff::Late => words::POWER_OFF_AFTER[3],
        }
    }

    pub(crate) fn stepped(self, forward: bool) -> PowerOff {
        let all = PowerOff::ALL.len();
        PowerOff::ALL[(self as usize + if forward { 1 } else { all - 1 }) % all]
    }
}

/// The colours of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// Light on dark.
    #[default]
    Night,
    /// Ink on paper, for sunlight.
    Day,
    /// Black and white as far as possible.
    HighContrast,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 3] = [Theme::Night, Theme::Day, Theme::HighContrast];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Theme::Night => words::THEMES[0],
            Theme::Day => words::THEMES[1],
            Theme::HighContrast => words::THEMES[2],
        }
    }

    pub(crate) fn stepped(self, forward: bool) -> Theme {
        let all = Theme::ALL.len();
        Theme::ALL[(self as usize + if forward { 1 } else { all - 1 }) % all]
    }
}

/// Loudest of the volumes; the softest is 1.
pub const VOLUMES: u8 = 3;

/// How the handheld looks, sounds and lies in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comfort {
    /// Volume, 1 to [`VOLUMES`], where [`Settings::sound`] is on.
    pub volume: u8,
    /// The colours.
    pub theme: Theme,
    /// Whether screens slide and pieces move.
    pub motion: bool,
    /// Whether screens say what the buttons do.
    pub key_help: bool,
    /// Whether the directions are under the right thumb: they trade places with A, B, X and Y.
    pub left_handed: bool,
    /// Whether the device is held upside down.
    pub rotated: bool,
    /// Whether boards have coordinates.
    pub coordinates: bool,
    /// Whether the machine thinks on the person's time.
    pub pondering: bool,
}

impl Default for Comfort {
    fn default() -> Comfort {
        Comfort {
            volume: 2,
            theme: Theme::Night,
            motion: true,
            key_help: true,
            left_handed: false,
            rotated: false,
            coordinates: false,
            pondering: false,
        }
    }
}

/// The player's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Whether beeps are heard.
    pub sound: bool,
    /// Brightness, 1 to 5.
    pub brightness: u8,
    /// Whether an OLED needs the picture moved by two columns.
    pub shift: Shift,
    /// The game that Play starts.
    pub last: GameId,
    /// The last set-up of each game, in the order of the menu.
    pub setups: Vec<Setup, GAMES>,
    /// When the device switches itself off. Written behind the rest: version 1 did not have it.
    #[serde(skip)]
    pub power_off: PowerOff,
    /// Written behind the rest: versions 1 and 2 did not have it.
    #[serde(skip)]
    pub comfort: Comfort,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            sound: true,
            brightness: 4,
            shift: Shift::Auto,
            last: GameId::ALL[0],
            setups: GameId::ALL.into_iter().map(Setup::new).collect(),
            power_off: PowerOff::default(),
            comfort: Comfort::default(),
        }
    }
}

impl Settings {
    /// The set-up of a game.
    pub fn setup(&self, id: GameId) -> Setup {
        self.setups
            .iter()
            .copied()
            .find(|setup| setup.rules.id() == id)
            .unwrap_or(Setup::new(id))
    }

    /// Remembers the set-up of a game.
    pub fn set_setup(&mut self, setup: Setup) {
        match self
            .setups
            .iter_mut()
            .find(|old| old.rules.id() == setup.rules.id())
        {
            Some(old) => *old = setup,
            // One place for each game: it cannot be full.
            None => {
                let _ = self.setups.push(setup);
            }
        }
    }

    /// The settings with every value in its range: bytes from storage are not trusted. Games that
    /// are newer than the bytes get their usual set-up.
    fn checked(mut self) -> Settings {
        self.brightness = self.brightness.clamp(1, 5);
        self.comfort.volume = self.comfort.volume.clamp(1, VOLUMES);
        let setups = core::mem::take(&mut self.setups);
        for id in GameId::ALL {
            let kept = setups
                .iter()
                .copied()
                .find(|setup| setup.rules.id() == id)
                .unwrap_or(Setup::new(id));
            self.set_setup(Setup {
                rules: kept.rules.checked(),
                ..kept
            });
        }
        self
    }
}

/// Games of one person against one belt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Won by the person.
    pub won: u16,
    /// Drawn.
    pub drawn: u16,
    /// Lost by the person.
    pub lost: u16,
}

/// Results of all games of a person against the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    rows: Vec<(GameId, [Tally; Belt::ALL.len()]), GAMES>,
    /// Written behind the rows: version 1 did not have them.
    #[serde(skip)]
    challenges: Challenges,
}

/// The challenges of each game that was played.
type Challenges = Vec<(GameId, [Challenge; Belt::ALL.len()]), GAMES>;

impl Statistics {
    /// What was done against a belt under the usual rules.
    pub fn challenge(&self, id: GameId, belt: Belt) -> Challenge {
        self.challenges
            .iter()
            .find(|row| row.0 == id)
            .map_or(Challenge::default(), |row| row.1[belt as usize])
    }

    /// The highest belt that was earned in a game.
    pub fn best_belt(&self, id: GameId) -> Option<Belt> {
        let mut belts = Belt::ALL.into_iter().rev();
        belts.find(|&belt| self.challenge(id, belt).earned().is_some())
    }

    /// The next belt to earn in a game; `None` for who has black.
    pub fn next_belt(&self, id: GameId) -> Option<Belt> {
        let next = self.best_belt(id).map_or(0, |belt| belt as u8 + 1);
        Belt::from_code(next)
    }

    /// Whether black is earned in every game.
    pub fn is_master(&self) -> bool {
        let is_black = |id| self.best_belt(id) == Some(Belt::Black);
        GameId::ALL.into_iter().all(is_black)
    }

    /// Counts a game against a belt under the usual rules, after its result. Returns whether it
    /// earns the belt.
    pub(crate) fn count_challenge(&mut self, id: GameId, belt: Belt, is_clean_win: bool) -> bool {
        let games = self.all_results();
        if !self.challenges.iter().any(|row| row.0 == id) {
            // One place for each game: it cannot be full.
            let _ = self.challenges.push((id, Default::default()));
        }
        let row = self.challenges.iter_mut().find(|row| row.0 == id);
        row.is_some_and(|row| row.1[belt as usize].count(is_clean_win, games))
    }

    /// The results against a belt.
    pub fn tally(&self, id: GameId, belt: Belt) -> Tally {
        self.rows
            .iter()
            .find(|row| row.0 == id)
            .map_or(Tally::default(), |row| row.1[belt as usize])
    }

    /// Number of all results of a game.
    pub(crate) fn results(&self, id: GameId) -> u32 {
        let tallies = Belt::ALL.map(|belt| self.tally(id, belt));
        let sum =
            |Tally { won, drawn, lost }| [won, drawn, lost].map(u32::from).iter().sum::<u32>();
        tallies.map(sum).iter().sum()
    }

    /// Number of all results of all games.
    pub(crate) fn all_results(&self) -> u32 {
        GameId::ALL.map(|id| self.results(id)).iter().sum()
    }

    /// Counts a game; `value` is 1, 0 or −1 as the person sees it.
    pub fn count(&mut self, id: GameId, belt: Belt, value: i8) {
        if !self.rows.iter().any(|row| row.0 == id) {
            // One place for each game: it cannot be full.
            let _ = self.rows.push((id, Default::default()));
        }
        if let Some((_, tallies)) = self.rows.iter_mut().find(|row| row.0 == id) {
            let tally = &mut tallies[belt as usize];
            let number = match value {
                1 => &mut tally.won,
                0 => &mut tally.drawn,
                _ => &mut tally.lost,
            };
            *number = number.saturating_add(1);
        }
    }
}

/// A running game as it is stored: its set-up and its moves, which are replayed when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptGame {
    setup: Setup,
    first: Player,
    moves: Vec<u16, { dojo_core::games::MAX_PLIES }>,
    resigned: Option<Player>,
    scoring: Scoring,
    hints: u16,
    undos: u16,
}

/// Whether the result of the running game is counted. Both values together survive a power cut
/// between the writes of statistics and game: [`crate::app::AppState::restore_game`] compares them
/// with the statistics.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct KeptResult {
    counted: bool,
    results: Option<u32>,
}

pub(crate) fn encode_settings<'a>(settings: &Settings, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    let Settings {
        power_off, comfort, ..
    } = settings;
    write(&(SETTINGS_VERSION, settings, power_off, comfort), buffer)
}

/// The settings; what an older version did not write has its default.
pub(crate) fn decode_settings(bytes: &[u8]) -> Option<Settings> {
    let (&version, rest) = bytes.split_first()?;
    let (mut settings, rest) = postcard::take_from_bytes::<Settings>(rest).ok()?;
    (settings.power_off, settings.comfort) = match (version, rest) {
        (VERSION, []) => Default::default(),
        (SETTINGS_VERSION_2, rest) => (whole(rest)?, Comfort::default()),
        (SETTINGS_VERSION, rest) => whole(rest)?,
        _ => return None,
    };
    Some(settings.checked())
}

pub(crate) fn encode_statistics<'a>(
    statistics: &Statistics,
    buffer: &'a mut [u8],
) -> Option<&'a [u8]> {
    write(
        &(STATISTICS_VERSION, statistics, &statistics.challenges),
        buffer,
    )
}

/// The statistics. Version 1 does not say who was helped: its results earn no belt.
pub(crate) fn decode_statistics(bytes: &[u8]) -> Option<Statistics> {
    let (&version, rest) = bytes.split_first()?;
    let (mut statistics, rest) = postcard::take_from_bytes::<Statistics>(rest).ok()?;
    statistics.challenges = match (version, rest) {
        (VERSION, []) => Challenges::new(),
        (STATISTICS_VERSION, rest) => whole(rest)?,
        _ => return None,
    };
    for (_, challenges) in &mut statistics.challenges {
        *challenges = challenges.map(Challenge::checked);
    }
    Some(statistics)
}

/// The bytes of the running game. `None` is stored explicitly, so that a finished game is
/// overwritten.
pub(crate) fn encode_game<'a>(session: Option<&Session>, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    let kept = session.map(|session| KeptGame {
        setup: session.setup(),
        first: session.first_side(),
        moves: session.moves().iter().copied().collect(),
        resigned: session.resigned,
        scoring: session.scoring,
        hints: session.hints,
        undos: session.undos,
    });
    let result = session.map_or(KeptResult::default(), |session| KeptResult {
        counted: session.counted,
        results: session.results,
    });
    let altered = session.is_some_and(|session| session.altered);
    write(&(GAME_VERSION, &kept, result, altered), buffer)
}

/// Version 1 does not say whether the result is counted: it is taken as not counted. Versions 1 and
/// 2 do not say whether the game was altered: it is taken as altered.
fn take_game(bytes: &[u8]) -> Option<(Option<KeptGame>, KeptResult, bool)> {
    let (&version, rest) = bytes.split_first()?;
    let (kept, rest) = postcard::take_from_bytes::<Option<KeptGame>>(rest).ok()?;
    let (result, altered) = match (version, rest) {
        (VERSION, []) => (KeptResult::default(), true),
        (GAME_VERSION_2, rest) => (whole(rest)?, true),
        (GAME_VERSION, rest) => whole(rest)?,
        _ => return None,
    };
    Some((kept, result, altered))
}

/// What a list says about the running game in these bytes, without replaying it; [`decode_game`]
/// may still refuse it.
pub(crate) fn summarize(bytes: &[u8]) -> Option<Option<Summary>> {
    let (kept, ..) = take_game(bytes)?;
    Some(kept.map(|kept| Summary::new(&kept.setup, kept.moves.len())))
}

/// The running game, replayed from its moves; refused if one of them is illegal.
pub(crate) fn decode_game(bytes: &[u8]) -> Option<Option<Session>> {
    let (kept, result, altered) = take_game(bytes)?;
    let Some(kept) = kept else {
        return Some(None);
    };
    if kept.setup.rules.checked() != kept.setup.rules {
        return None;
    }
    let mut session = Session::new(kept.setup, kept.first);
    for &mv in &kept.moves {
        session.play(mv).ok()?;
    }
    session.resigned = kept.resigned;
    session.scoring = kept.scoring.checked(session.game());
    (session.hints, session.undos) = (kept.hints, kept.undos);
    (session.counted, session.results) = (result.counted, result.results);
    session.altered = altered;
    Some(Some(session))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_kept_comes_back() {
        let mut buffer = [0; MAX_BYTES];
        let mut settings = Settings {
            brightness: 2,
            sound: false,
            power_off: PowerOff::Late,
            comfort: Comfort {
                volume: 3,
                theme: Theme::Day,
                motion: false,
                key_help: false,
                left_handed: true,
                rotated: true,
                coordinates: true,
                pondering: true,
            },
            ..Settings::default()
        };
        settings.set_setup(Setup {
            starter: Starter::Two,
            ..Setup::new(GameId::TicTacToe)
        });
        assert_eq!(
            decode_settings(encode_settings(&settings, &mut buffer).unwrap()),
            Some(settings)
        );

        let mut statistics = Statistics::default();
        statistics.count(GameId::Sticks, Belt::Green, -1);
        assert_eq!(statistics.tally(GameId::Sticks, Belt::Green).lost, 1);
        assert_eq!(
            decode_statistics(encode_statistics(&statistics, &mut buffer).unwrap()),
            Some(statistics.clone())
        );

        for _ in 0..2 {
            statistics.count_challenge(GameId::Go, Belt::Black, true);
        }
        assert_eq!(statistics.best_belt(GameId::Go), Some(Belt::Black));
        assert_eq!(
            decode_statistics(encode_statistics(&statistics, &mut buffer).unwrap()),
            Some(statistics)
        );

        let mut session = Session::new(Setup::new(GameId::Sticks), Player::Second);
        session.play(2).unwrap();
        session.hints = 2;
        session.altered = true;
        (session.counted, session.results) = (true, Some(u32::MAX));
        assert_eq!(
            decode_game(encode_game(Some(&session), &mut buffer).unwrap()),
            Some(Some(session))
        );
        assert_eq!(
            decode_game(encode_game(None, &mut buffer).unwrap()),
            Some(None)
        );
    }

    #[test]
    fn the_longest_values_fit_the_buffer() {
        let mut buffer = [0; MAX_BYTES];
        let mut statistics = Statistics::default();
        for id in GameId::ALL {
            for belt in Belt::ALL {
                statistics.count(id, belt, 0);
            }
        }
        for (_, tallies) in &mut statistics.rows {
            tallies.fill(Tally {
                won: u16::MAX,
                drawn: u16::MAX,
                lost: u16::MAX,
            });
        }
        for id in GameId::ALL {
            for belt in Belt::ALL {
                for _ in 0..3 {
                    statistics.count_challenge(id, belt, true);
                }
            }
        }
        assert_eq!(
            statistics.challenge(GameId::Go, Belt::Black).earned(),
            Some(u16::MAX)
        );
        assert!(encode_statistics(&statistics, &mut buffer).is_some());
        let mut setup = Setup::new(GameId::Sticks);
        let AnyRules::Sticks(rules) = &mut setup.rules else {
            unreachable!()
        };
        *rules = dojo_core::games::SticksRules::new([7, 7, 7], true).unwrap();
        let mut session = Session::new(setup, Player::First);
        (session.hints, session.undos) = (u16::MAX, u16::MAX);
        for row in 0..3 {
            for _ in 0..7 {
                session.play(row * 7).unwrap();
            }
        }
        assert!(encode_game(Some(&session), &mut buffer).is_some());
    }

    #[test]
    fn damaged_bytes_are_refused_or_harmless() {
        let mut buffer = [0; MAX_BYTES];
        let mut session = Session::new(Setup::new(GameId::Sticks), Player::First);
        session.play(2).unwrap();
        let good: Vec<u8, MAX_BYTES> = encode_game(Some(&session), &mut buffer)
            .unwrap()
            .iter()
            .copied()
            .collect();
        for cut in 0..good.len() {
            assert_eq!(decode_game(&good[..cut]), None, "cut at {cut}");
        }
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                // Not every flip can be noticed without a checksum, which the storage below adds;
                // none may panic.
                let _ = (
                    decode_game(&bad),
                    decode_settings(&bad),
                    decode_statistics(&bad),
                );
            }
        }
        assert_eq!(decode_settings(&[SETTINGS_VERSION]), None);
        assert_eq!(decode_settings(&[]), None);
    }

    #[test]
    fn settings_of_the_first_version_are_migrated() {
        let mut buffer = [0; MAX_BYTES];
        let settings = Settings {
            brightness: 2,
            shift: Shift::Yes,
            ..Settings::default()
        };
        let old: Vec<u8, MAX_BYTES> = write(&(VERSION, &settings), &mut buffer)
            .unwrap()
            .iter()
            .copied()
            .collect();
        assert_eq!(decode_settings(&old), Some(settings.clone()));
        let new = encode_settings(&settings, &mut buffer).unwrap();
        assert_eq!(
            (new[0], &new[1..old.len()]),
            (SETTINGS_VERSION, &old[1..]),
            "the old bytes"
        );
        assert_eq!(
            new[old.len()..],
            [1, 2, 0, 1, 1, 0, 0, 0, 0],
            "bytes behind the old ones"
        );
        let mut bad = old.clone();
        bad[0] = SETTINGS_VERSION + 1;
        assert_eq!(decode_settings(&bad), None, "newer than this program");
        bad[0] = SETTINGS_VERSION_2;
        assert_eq!(decode_settings(&bad), None, "cut");
        bad.push(PowerOff::Late as u8).unwrap();
        let late = decode_settings(&bad).map(|settings| settings.power_off);
        assert_eq!(late, Some(PowerOff::Late), "version 2");
        bad[0] = SETTINGS_VERSION;
        assert_eq!(decode_settings(&bad), None, "cut before the comfort");
        bad[0] = SETTINGS_VERSION_2;
        *bad.last_mut().unwrap() = PowerOff::ALL.len() as u8;
        assert_eq!(decode_settings(&bad), None, "no such choice");
    }

    #[test]
    fn games_of_the_first_version_are_read() {
        let mut buffer = [0; MAX_BYTES];
        let mut session = Session::new(Setup::new(GameId::Sticks), Player::Second);
        session.play(2).unwrap();
        let new: Vec<u8, MAX_BYTES> = encode_game(Some(&session), &mut buffer)
            .unwrap()
            .iter()
            .copied()
            .collect();
        let [GAME_VERSION, fields @ .., 0, 0, 0] = &new[..] else {
            panic!("{new:?}")
        };
        let mut old: Vec<u8, MAX_BYTES> = Vec::from_slice(&[VERSION]).unwrap();
        old.extend_from_slice(fields).unwrap();
        session.altered = true;
        assert_eq!(decode_game(&old), Some(Some(session.clone())));
        old[0] = GAME_VERSION_2;
        assert_eq!(decode_game(&old), None, "cut");
        old.extend_from_slice(&[1, 1, 7]).unwrap();
        (session.counted, session.results) = (true, Some(7));
        assert_eq!(decode_game(&old), Some(Some(session)), "version 2");
        old[0] = GAME_VERSION;
        assert_eq!(decode_game(&old), None, "cut before the last byte");
        old[0] = GAME_VERSION + 1;
        assert_eq!(decode_game(&old), None, "newer than this program");
        assert_eq!(decode_game(&[VERSION, 0]), Some(None), "no game");
    }

    #[test]
    fn seats_and_starters_go_round_in_both_directions() {
        for choices in [&Seat::ALL[..], &Seat::ALL[1..4], &Seat::ALL[..1]] {
            for (at, &seat) in choices.iter().enumerate() {
                let next = seat.stepped(true, choices);
                assert_eq!(next, choices[(at + 1) % choices.len()]);
                assert_eq!(next.stepped(false, choices), seat);
            }
        }
        assert_eq!(
            Seat::Pupil.stepped(true, &[]),
            Seat::Pupil,
            "nobody else may sit here"
        );
        for (starter, next) in [
            (Starter::One, Starter::Two),
            (Starter::Two, Starter::Turns),
            (Starter::Turns, Starter::One),
        ] {
            assert_eq!(
                (starter.stepped(true), next.stepped(false)),
                (next, starter)
            );
        }
    }

    #[test]
    fn each_game_has_a_set_up_of_its_own() {
        let mut settings = Settings::default();
        let setup = Setup {
            starter: Starter::Two,
            ..Setup::new(GameId::Dots)
        };
        settings.set_setup(setup);
        for id in GameId::ALL {
            assert_eq!(
                settings.setup(id),
                if id == GameId::Dots {
                    setup
                } else {
                    Setup::new(id)
                }
            );
        }
        assert_eq!(
            settings.setups.len(),
            GAMES,
            "a set-up replaces the one before"
        );
    }

    #[test]
    fn settings_from_storage_are_brought_into_their_ranges() {
        let mut buffer = [0; MAX_BYTES];
        let setup = Setup {
            starter: Starter::One,
            ..Setup::new(GameId::Go)
        };
        for (brightness, expected) in [(0, 1), (1, 1), (5, 5), (200, 5)] {
            // Written by a version that had one game.
            let setups = Vec::from_slice(&[setup]).unwrap();
            let written = Settings {
                brightness,
                setups,
                ..Settings::default()
            };
            let read = decode_settings(encode_settings(&written, &mut buffer).unwrap()).unwrap();
            assert_eq!(read.brightness, expected);
            assert_eq!(read.setup(GameId::Go), setup);
            assert!(
                GameId::ALL
                    .into_iter()
                    .eq(read.setups.iter().map(|setup| setup.rules.id()))
            );
        }
    }

    #[test]
    fn rules_that_cannot_be_are_replaced_by_the_usual_ones() {
        let mut buffer = [0; MAX_BYTES];
        let usual = Settings::default();
        let setups = usual
            .setups
            .iter()
            .copied()
            .filter(|setup| setup.rules.id() == GameId::Sticks);
        let written = Settings {
            setups: setups.collect(),
            ..usual.clone()
        };
        let length = encode_settings(&written, &mut buffer).unwrap().len();
        // The rows of the sticks: 3, 5 and 7.
        let rows = buffer[..length]
            .windows(3)
            .position(|bytes| bytes == [3, 5, 7])
            .unwrap();
        buffer[rows + 1] = 200;
        assert_eq!(decode_settings(&buffer[..length]), Some(usual));
    }

    #[test]
    fn results_are_counted_by_game_belt_and_value() {
        let mut statistics = Statistics::default();
        for (value, times) in [(1, 3), (0, 2), (-1, 4)] {
            (0..times).for_each(|_| statistics.count(GameId::Dots, Belt::Brown, value));
        }
        statistics.count(GameId::Go, Belt::Brown, 1);
        assert_eq!(
            statistics.tally(GameId::Dots, Belt::Brown),
            Tally {
                won: 3,
                drawn: 2,
                lost: 4
            }
        );
        assert_eq!(
            statistics.tally(GameId::Go, Belt::Brown),
            Tally {
                won: 1,
                ..Tally::default()
            }
        );
        assert_eq!(
            statistics.tally(GameId::Dots, Belt::Black),
            Tally::default()
        );
        assert_eq!(
            statistics.tally(GameId::Sticks, Belt::Brown),
            Tally::default()
        );
        assert_eq!(
            statistics.rows.len(),
            2,
            "one row for each game that was played"
        );
    }

    #[test]
    fn old_results_are_read_and_earn_no_belt() {
        let mut buffer = [0; MAX_BYTES];
        let mut statistics = Statistics::default();
        (0..9).for_each(|_| statistics.count(GameId::Sticks, Belt::White, 1));
        let old = write(&(VERSION, &statistics), &mut buffer).unwrap();
        let read = decode_statistics(old).unwrap();
        assert_eq!(read, statistics);
        assert_eq!(read.best_belt(GameId::Sticks), None);
        assert_eq!(read.next_belt(GameId::Sticks), Some(Belt::White));
    }

    #[test]
    fn who_has_black_everywhere_is_a_master() {
        let mut statistics = Statistics::default();
        for id in GameId::ALL {
            assert!(!statistics.is_master());
            for _ in 0..2 {
                statistics.count_challenge(id, Belt::Black, true);
            }
            assert_eq!(statistics.next_belt(id), None);
        }
        assert!(statistics.is_master());
    }

    #[test]
    fn bytes_behind_a_value_are_refused() {
        let mut buffer = [0; MAX_BYTES];
        let length = encode_statistics(&Statistics::default(), &mut buffer)
            .unwrap()
            .len();
        assert!(decode_statistics(&buffer[..length]).is_some());
        assert_eq!(decode_statistics(&buffer[..length + 1]), None);
    }
}
