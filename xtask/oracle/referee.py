"""Compares random games of the project with programs that its authors did not write.

Reads the games that core/examples/random_games.rs prints. Every legal move, every turn and every
result is compared: with OpenSpiel for tic-tac-toe, Connect Four, sticks, dots and Go, with the
second implementation in iwoki.py for iwoki. The first difference ends the comparison with code 1.

    referee.py PROGRAM DATA GAMES
"""

import subprocess
import sys

import iwoki
import pyspiel


class Difference(Exception):
    pass


def expect(what, ours, theirs):
    if ours != theirs:
        raise Difference(f"{what}: ours {ours}, referee {theirs}")


def parse(lines):
    """Games as (options, plies, result, last position)."""
    options, plies = None, []
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("game"):
            options = dict(word.split("=", 1) for word in line.split()[1:])
            plies = []
        elif line.startswith("end "):
            result, position = line[4:].split("|", 1)
            yield options, plies, result, position
        else:
            turn, legal, played, position = line.split("|", 3)
            plies.append((turn, legal.split(), played, position))


def winner(returns):
    return "draw" if returns[0] == 0 else "first" if returns[0] > 0 else "second"


class Spiel:
    """A game of OpenSpiel whose actions have our names."""

    def __init__(self, text):
        self.state = pyspiel.load_game(text).new_initial_state()

    def name(self, action):
        raise NotImplementedError

    def legal(self):
        return {self.name(action): action for action in self.state.legal_actions()}

    def begin(self, plies):
        """Brings the referee to the position of the first ply."""

    def compare(self, plies, result, _position):
        self.begin(plies)
        for number, (turn, ours, played, _) in enumerate(plies):
            if self.is_cut():
                return number
            theirs = self.legal()
            expect(f"ply {number}, turn", turn, ["first", "second"][self.state.current_player()])
            expect(f"ply {number}, times a move is listed", len(ours), len(set(ours)))
            self.compare_moves(number, set(ours), theirs)
            self.state.apply_action(theirs[played])
            self.after(number, played)
        self.finish(result)
        return len(plies)

    def after(self, number, played):
        """Looks at the position after a ply."""

    def is_cut(self):
        return False

    def compare_moves(self, number, ours, theirs):
        expect(f"ply {number}, legal moves", sorted(ours), sorted(theirs))

    def finish(self, result):
        expect("game over", True, self.state.is_terminal())
        expect("result", result, self.judged())

    def judged(self):
        return winner(self.state.returns())


class TicTacToe(Spiel):
    def __init__(self, _options):
        super().__init__("tic_tac_toe")

    def name(self, action):
        return "abc"[action % 3] + "321"[action // 3]


class ConnectFour(Spiel):
    def __init__(self, _options):
        super().__init__("connect_four")

    def name(self, action):
        return str(action + 1)


class Sticks(Spiel):
    def __init__(self, options):
        rows, misere = options["rows"].replace(",", ";"), options["misere"] == "yes"
        super().__init__(f"nim(pile_sizes={rows},is_misere={str(misere).lower()})")

    def name(self, action):
        # "pile:1, take:1;"
        pile, take = self.state.action_to_string(action).rstrip(";").split(", ")
        return f"{pile.split(':')[1]}:{take.split(':')[1]}"


class Dots(Spiel):
    def __init__(self, options):
        rows, cols = options["size"].split("x")
        self.misere = options["misere"] == "yes"
        self.tie = "second" if options["ties"] == "starter-loses" else "draw"
        super().__init__(f"dots_and_boxes(num_rows={rows},num_cols={cols})")

    def name(self, action):
        # "P1(h,0,0)"
        return self.state.action_to_string(action)[3:-1].replace(",", "")

    def judged(self):
        more = winner(self.state.returns())
        if more == "draw":
            return self.tie
        return {"first": "second", "second": "first"}[more] if self.misere else more


class Go(Spiel):
    def __init__(self, options):
        self.size = int(options["size"])
        self.positional = options["ko"] == "positional"
        super().__init__(
            f"go(board_size={self.size},komi={options['komi']},max_game_length=2000)"
        )
        self.seen = set()
        self.repetitions = 0

    def name(self, action):
        word = self.state.action_to_string(action).split()[-1]
        return "pass" if word == "PASS" else word.upper()

    def begin(self, plies):
        # OpenSpiel has handicap on 19×19 alone: black plays the stones while white passes.
        stones = []
        for row, line in enumerate(plies[0][3].split()[0].split("/")):
            for col, stone in enumerate(line):
                if stone == "X":
                    stones.append("ABCDEFGHJ"[col] + str(self.size - row))
        for number, stone in enumerate(stones):
            if number:
                self.state.apply_action(self.legal()["pass"])
            self.state.apply_action(self.legal()[stone])
        self.seen = {self.board(self.state)}

    @staticmethod
    def board(state):
        rows = [line for line in str(state).splitlines() if line[:2].strip().isdigit()]
        return tuple(row.split()[-1] for row in rows)

    def is_cut(self):
        # OpenSpiel ends a game at the first repetition; a simple ko rule goes on.
        return not self.positional and self.state.is_terminal()

    def compare_moves(self, number, ours, theirs):
        expect(f"ply {number}, moves that OpenSpiel forbids", sorted(ours - set(theirs)), [])
        for extra in set(theirs) - ours:
            child = self.state.child(theirs[extra])
            repeats = self.board(child) in self.seen
            self.repetitions += 1
            expect(f"ply {number}, {extra} forbidden though it repeats nothing", repeats, True)
            expect(f"ply {number}, {extra} forbidden by the simple ko rule", self.positional, True)

    def after(self, number, played):
        board = self.board(self.state)
        if played != "pass" and self.positional:
            expect(f"ply {number}, {played} repeats a position", board in self.seen, False)
        self.seen.add(board)

    def finish(self, result):
        if self.is_cut():
            return
        # A game that ends at our limit of moves is counted as it stands.
        while not self.state.is_terminal():
            self.state.apply_action(self.legal()["pass"])
        super().finish(result)


def letters(text, first):
    return [] if text == "-" else [ord(letter) - ord(first) for letter in text]


class Iwoki:
    """Not OpenSpiel: the second implementation beside this file."""

    pieces = None

    def __init__(self, _options):
        pass

    def compare(self, plies, result, last):
        words = plies[0][3].split()
        hands = [(letters(words[6], "a"), letters(words[7], "A"))]
        hands.append((letters(words[10], "a"), letters(words[11], "A")))
        bags = [letters(words[12], "a"), letters(words[13], "A")]
        game = iwoki.Game(self.pieces, hands, bags, 0)
        for number, (turn, ours, played, position) in enumerate(plies):
            expect(f"ply {number}, position", position.split()[:14], self.shown(game))
            expect(f"ply {number}, turn", turn, ["first", "second"][game.turn])
            expect(f"ply {number}, legal moves", sorted(ours), sorted(game.legal()))
            laid = position.split()[14]
            expect(
                f"ply {number}, tiles on the board",
                sorted([] if laid == "-" else laid.split(",")),
                sorted(game.used.values()),
            )
            game.play(played)
        expect("game over", True, game.over)
        expect("last position", last.split()[4:14], self.shown(game)[4:])
        counts = game.final_counts()
        expect("result", result, winner([counts[0] - counts[1]]))
        return len(plies)

    @staticmethod
    def shown(game):
        def text(tiles, first):
            return "".join(chr(ord(first) + tile) for tile in tiles) or "-"

        words = [
            ["first", "second"][game.turn],
            "drew" if game.drew else "-",
            str(game.passes),
            "-" if game.ran_out is None else ["first", "second"][game.ran_out],
        ]
        for player in (0, 1):
            words += [str(game.points[player]), str(game.tokens[player])]
            words += [text(game.small[player], "a"), text(game.hex[player], "A")]
        return words + [text(game.small_bag, "a"), text(game.hex_bag, "A")]


REFEREES = {
    "tictactoe": TicTacToe,
    "connect4": ConnectFour,
    "sticks": Sticks,
    "dots": Dots,
    "go": Go,
    "iwoki": Iwoki,
}

# Options and share of all games, in parts of a thousand.
PLAN = [
    ("tictactoe", 100, []),
    ("connect4", 100, []),
    *(
        ("sticks", 20, [f"rows={rows}", f"misere={misere}"])
        for rows in ["3,5,7", "1", "7,7,7", "2,2", "1,1,1"]
        for misere in ["yes", "no"]
    ),
    *(("dots", 30, [f"size={size}"]) for size in ["1x1", "1x4", "2x4", "4x4", "5x5"]),
    *(
        ("dots", 25, [f"size={size}", f"ties={ties}", f"misere={misere}"])
        for size in ["2x2", "3x3"]
        for ties in ["starter-loses", "draw"]
        for misere in ["yes", "no"]
    ),
    ("go", 10, ["size=9"]),
    ("go", 20, ["size=7"]),
    ("go", 70, ["size=5"]),
    ("go", 10, ["size=5", "ko=simple"]),
    ("go", 5, ["size=7", "ko=simple"]),
    *(("go", 2, ["size=9", f"handicap={stones}"]) for stones in range(2, 10)),
    *(("go", 3, ["size=5", f"handicap={stones}"]) for stones in range(2, 5)),
    ("iwoki", 60, []),
]


def main():
    program, data, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
    Iwoki.pieces = iwoki.Pieces(data)
    total, positions, repetitions = 0, 0, 0
    for seed, (game, share, options) in enumerate(PLAN):
        count = max(1, games * share // 1000)
        command = [program, game, str(count), str(seed), *options]
        done = plies_compared = 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
            for rules, plies, result, position in parse(run.stdout):
                referee = REFEREES[game](rules)
                try:
                    plies_compared += referee.compare(plies, result, position)
                except Difference as difference:
                    print(f"{game} {' '.join(options)}: game {done}: {difference}")
                    print("moves:", " ".join(ply[2] for ply in plies))
                    run.kill()
                    return 1
                repetitions += getattr(referee, "repetitions", 0)
                done += 1
        if run.returncode != 0 or done != count:
            print(f"{' '.join(command)}: {done} of {count} games, code {run.returncode}")
            return 1
        print(f"{game:10} {' '.join(options):40} {done:6} games {plies_compared:8} positions")
        sys.stdout.flush()
        total, positions = total + done, positions + plies_compared
    print(f"{total} games, {positions} positions, no difference ({repetitions} repetitions met)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
