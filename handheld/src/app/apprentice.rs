//! What the apprentice does: its moves, and learning after a game.

use dojo_core::game::Outcome;
use dojo_core::games::GameId;
use dojo_core::games::apprentice::choose;
use dojo_core::players::belts::{Answer, Decision, Source};

use super::AppState;
use crate::apprentice::{NAME, Rivalry, Work};
use crate::event::{Command, Slot};

impl AppState {
    /// The rivalry in a game; `None` if the apprentice does not learn it.
    pub(crate) fn rivalry(&self, game: GameId) -> Option<&Rivalry> {
        self.apprentice.rivalry(game)
    }

    /// Results of a game so far, with those against the apprentice: a running game notes them at its
    /// beginning.
    pub(super) fn results(&self, game: GameId) -> u32 {
        let rivalry = self.rivalry(game).map_or(0, Rivalry::games);
        self.statistics.results(game).saturating_add(rivalry)
    }

    /// A game against the apprentice has ended: it is counted, and learned from unless moves were
    /// taken back or sides were changed.
    pub(super) fn finish_rivalry(&mut self, outcome: Outcome, value: i8) {
        let Some(session) = &self.session else { return };
        let id = session.game().id();
        if let Some(rivalry) = self.apprentice.rivalry_mut(id) {
            rivalry.count(value);
            self.commands_for_rivalry();
        }
        if let Some(session) = self
            .session
            .as_ref()
            .filter(|session| session.undos == 0 && !session.altered)
        {
            let rules = session.setup().rules;
            self.apprentice.study(rules, session.moves(), outcome);
        }
        self.go_on_with_apprentice();
    }

    fn commands_for_rivalry(&mut self) {
        self.command(Command::Save(Slot::Rivalry));
    }

    /// Gives the apprentice of this game a name.
    pub(crate) fn name_apprentice(&mut self, game: GameId, letters: [u8; NAME]) {
        if let Some(rivalry) = self.apprentice.rivalry_mut(game) {
            rivalry.set_name(letters);
            self.commands_for_rivalry();
        }
    }

    /// A new apprentice in the place of the one of this game.
    pub(crate) fn reset_apprentice(&mut self, game: GameId) {
        self.apprentice.reset(game);
        // A running game notes the results before its own.
        let results = self.results(game);
        if let Some(session) = &mut self.session
            && session.game().id() == game
        {
            session.results = Some(results);
            self.save_game();
        }
        self.commands_for_rivalry();
    }

    /// Works on as far as the parts of its table that are in memory reach, then asks for the next
    /// one: first learning, then its move.
    pub(crate) fn go_on_with_apprentice(&mut self) {
        while let Some((work, changed)) = self.apprentice.learn() {
            for number in changed {
                self.command(Command::Save(Slot::Part(number)));
            }
            match work {
                Work::Wants(number) => return self.command(Command::Load(Slot::Part(number))),
                Work::Done(true) => self.commands_for_rivalry(),
                Work::Done(false) => {}
            }
        }
        let (Some(id), Some(session)) = (self.apprentice.asked, &self.session) else {
            return;
        };
        let game = session.game();
        let age = self.apprentice.rivalry(game.id()).map_or(0, Rivalry::age);
        let rng = &mut self.rng;
        let (work, _) = self
            .apprentice
            .with(game.id(), |table| choose(game, age, table, rng));
        match work {
            Work::Wants(number) => self.command(Command::Load(Slot::Part(number))),
            Work::Done(index) => {
                self.apprentice.asked = None;
                let answer = index.map(|index| Answer {
                    decision: Decision::Play(index),
                    source: Source::Brain,
                    grounds: Default::default(),
                });
                self.answered(id, answer);
            }
        }
    }

    /// Takes in a part of the apprentice's table.
    pub(crate) fn restore_part(&mut self, number: u8, bytes: &[u8]) {
        if self.apprentice.take_in(number, bytes) {
            self.go_on_with_apprentice();
        }
    }
}
