//! The running games: one of each kind. The one on the board is in memory, the others lie in
//! storage alone, and the console knows only what a list says about them.

use dojo_core::games::GameId;

use super::AppState;
use crate::event::{Command, Slot};
use crate::session::Session;
use crate::store::{self, Seat, Setup};

/// What a list says about a running game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) plies: u16,
    /// The only machine in it.
    pub(crate) machine: Option<Seat>,
}

impl Summary {
    pub(crate) fn new(setup: &Setup, plies: usize) -> Summary {
        let machines = || setup.seats.into_iter().filter(|seat| *seat != Seat::Person);
        Summary {
            plies: plies as u16,
            machine: machines().next().filter(|_| machines().count() == 1),
        }
    }
}

fn place(id: GameId) -> usize {
    let found = GameId::ALL.iter().position(|&game| game == id);
    // Every game is among all games.
    found.unwrap_or(0)
}

impl AppState {
    /// The running game of a kind.
    pub(crate) fn running(&self, id: GameId) -> Option<Summary> {
        let here = self
            .own_session()
            .filter(|session| session.game().id() == id);
        match here {
            Some(session) if !session.is_running() => None,
            Some(session) => Some(Summary::new(&session.setup(), session.moves().len())),
            None => self.stored[place(id)],
        }
    }

    /// The kinds of the running games, the one played last in front.
    pub(crate) fn running_games(&self) -> impl Iterator<Item = GameId> {
        let last = self.settings.last;
        let others = GameId::ALL.into_iter().filter(move |&id| id != last);
        [last]
            .into_iter()
            .chain(others)
            .filter(|&id| self.running(id).is_some())
    }

    /// The game in memory, unless it is a guest.
    fn own_session(&self) -> Option<&Session> {
        self.session.as_ref().filter(|_| !self.is_guest)
    }

    /// Whether the running game of a kind is in memory.
    pub(crate) fn is_in_memory(&self, id: GameId) -> bool {
        self.own_session()
            .is_some_and(|session| session.game().id() == id)
    }

    /// The game in memory gives up its place: if it is running, storage has it from now on.
    pub(super) fn leave_session(&mut self) {
        if let Some(session) = self.own_session() {
            let id = session.game().id();
            self.stored[place(id)] = self.running(id);
        }
        self.session = None;
        self.is_guest = false;
    }

    /// The running game of this kind is in memory, or there is none.
    pub(super) fn forget_stored(&mut self, id: GameId) {
        self.stored[place(id)] = None;
    }

    /// The bytes to store for the running game of a kind; `None` if storage alone has it.
    pub(crate) fn kept_game<'a>(&self, id: GameId, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        let here = self
            .own_session()
            .filter(|session| session.game().id() == id);
        if here.is_none() && self.stored[place(id)].is_some() {
            return None;
        }
        // A finished game is not resumed.
        let running = here.filter(|session| session.is_running());
        store::encode_game(running, buffer)
    }

    /// The bytes to store for the game that was finished last; `None` if storage alone has it.
    pub(crate) fn kept_finished<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        let finished = self.own_session().filter(|session| !session.is_running());
        store::encode_game(Some(finished?), buffer)
    }

    /// Asks storage for the game that was finished last, to review it.
    pub(crate) fn load_finished(&mut self) {
        self.loads_finished = true;
        self.command(Command::Load(Slot::Finished));
    }

    /// Whether it was asked for.
    pub(crate) fn takes_finished(&mut self) -> bool {
        core::mem::take(&mut self.loads_finished)
    }

    /// Asks storage for a running game. [`AppState::restore_game`] puts it on the board.
    pub(crate) fn load(&mut self, id: GameId) {
        self.loading = Some(id);
        self.command(Command::Load(Slot::Game(id)));
    }

    /// Takes in the stored bytes of a game. The one that was asked for, or played last, is put on
    /// the board; of another one only its summary is kept. `None` if the bytes cannot be read, else
    /// whether it was asked for and is on the board.
    pub(crate) fn restore_game(&mut self, id: GameId, bytes: &[u8]) -> Option<bool> {
        let was_wanted = self.loading.take_if(|wanted| *wanted == id).is_some();
        self.forget_stored(id);
        if !was_wanted && id != self.settings.last {
            self.stored[place(id)] = store::summarize(bytes)?;
            return Some(false);
        }
        let Some(mut session) = store::decode_game(bytes)?.filter(Session::is_running) else {
            return Some(false);
        };
        if session.game().id() != id {
            return None;
        }
        settle_result(&mut session, self.results(id));
        self.take_up(session);
        if was_wanted && self.settings.last != id {
            self.settings.last = id;
            self.command(Command::Save(Slot::Settings));
        }
        Some(was_wanted)
    }

    /// Takes in the only running game of earlier versions, and moves it to the slot of its kind.
    /// `None` if the bytes cannot be read.
    pub(crate) fn restore_old_game(&mut self, bytes: &[u8]) -> Option<()> {
        let Some(mut session) = store::decode_game(bytes)?.filter(Session::is_running) else {
            return Some(());
        };
        let id = session.game().id();
        // It waits until nothing is in its place: a write that failed may have left it behind, or
        // an earlier version may have played between two runs of this one.
        if self.session.is_some() || self.running(id).is_some() {
            return Some(());
        }
        // Its number of results is that of all games.
        settle_result(&mut session, self.statistics.all_results());
        session.results = Some(self.results(id));
        self.take_up(session);
        self.settings.last = id;
        for slot in [Slot::Settings, Slot::Game(id), Slot::OldGame] {
            self.command(Command::Save(slot));
        }
        Some(())
    }
}

/// Compares a restored game with the restored statistics. If they have one result more than before
/// the game, the power failed after they were written and before the game was: its result is
/// counted already.
fn settle_result(session: &mut Session, results: u32) {
    let before = session.results.replace(results);
    session.counted |= before.is_some_and(|before| before.checked_add(1) == Some(results));
}
