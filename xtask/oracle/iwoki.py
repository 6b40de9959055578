"""Iwoki for two players, written from the rules alone: no code of the project was read or used.

Slow and plain on purpose. Tiles and board come from the tables in data/iwoki.
"""

import csv
from pathlib import Path

SMALL_KINDS = 12
TOKENS_FOR_A_TILE = 3


def table(folder, name):
    with open(Path(folder) / name, newline="") as file:
        return list(csv.DictReader(file))


class Pieces:
    """Tiles and gaps."""

    def __init__(self, folder):
        self.small = [
            tuple(int(row[corner]) for corner in "abc")
            for row in table(folder, "small_tiles.csv")[:SMALL_KINDS]
        ]
        self.hex = [
            tuple(row[f"v{vertex}"] for vertex in range(1, 7))
            for row in table(folder, "hex_tiles.csv")
        ]
        self.hex_gaps = [row["hex"] for row in table(folder, "hex_gaps.csv")]
        self.small_gaps = {
            row["gap"]: [(row[f"hex_{corner}"], int(row[f"vertex_{corner}"])) for corner in "abc"]
            for row in table(folder, "small_gaps.csv")
        }


def rotations(items):
    return [items[turn:] + items[:turn] for turn in range(len(items))]


def small_ways(tile):
    """Orders of corners with their faces."""
    a, b, c = tile
    return [(order, "+") for order in rotations((a, b, c))] + [
        (order, "-") for order in rotations((a, c, b))
    ]


def hex_ways(tile):
    return rotations(tile) + rotations(tile[::-1])


def small_values(order, face):
    x, y, z = order
    pairs = [(x, z), (y, x), (z, y)]
    return [a + b if face == "+" else abs(a - b) for a, b in pairs]


class Game:
    """A position; hands and bags are known, as in the open form."""

    def __init__(self, pieces, hands, bags, first):
        self.pieces = pieces
        self.small = [sorted(small) for small, _ in hands]
        self.hex = [sorted(hexes) for _, hexes in hands]
        self.small_bag, self.hex_bag = (list(bag) for bag in bags)
        self.points, self.tokens = [0, 0], [0, 0]
        self.turn, self.drew, self.passes = first, False, 0
        self.ran_out = None
        self.over = False
        # Number or wildcard on each vertex, by the kind of tile that shows it.
        self.on_small, self.on_hex = {}, {}
        self.used = {}

    def touched(self, values, other):
        """Points of a placement, or None if it does not fit."""
        points, by_number = 0, False
        for vertex, value in values:
            there = other.get(vertex)
            if there is None or "*" in (value, there):
                continue
            if value != there:
                return None
            by_number, points = True, points + int(value)
        return points if by_number else None

    def small_vertices(self, gap, order, face):
        values = [str(value) for value in small_values(order, face)]
        return list(zip(self.pieces.small_gaps[gap], values))

    def placements(self):
        """Legal placements with their points."""
        found = {}
        if not self.used:
            gap = "H1_H4_H5"
            for kind in set(self.small[self.turn]):
                a, b, c = self.pieces.small[kind]
                low, middle, high = sorted((a, b, c))
                found[f"sp{kind + 1}:{a}{b}{c}+:{gap}"] = middle + high
                found[f"sp{kind + 1}:{a}{c}{b}-:{gap}"] = high - low
            for tile in self.hex[self.turn]:
                values = self.pieces.hex[tile]
                highest = max(int(value) for value in values if value != "*")
                found[f"hp{tile + 1}:{''.join(values)}:H1"] = highest
            return found
        for kind in set(self.small[self.turn]):
            for order, face in small_ways(self.pieces.small[kind]):
                for gap in self.pieces.small_gaps:
                    if gap not in self.used:
                        values = self.small_vertices(gap, order, face)
                        points = self.touched(values, self.on_hex)
                        if points is not None:
                            shown = "".join(map(str, order)) + face
                            found[f"sp{kind + 1}:{shown}:{gap}"] = points
        for tile in self.hex[self.turn]:
            for values in hex_ways(self.pieces.hex[tile]):
                for gap in self.pieces.hex_gaps:
                    if gap not in self.used:
                        corners = [((gap, place + 1), value) for place, value in enumerate(values)]
                        points = self.touched(corners, self.on_small)
                        if points is not None:
                            found[f"hp{tile + 1}:{''.join(values)}:{gap}"] = points
        return found

    def legal(self):
        if self.over:
            return {}
        found = self.placements()
        if self.used and not self.drew and self.small_bag:
            found["draw"] = 0
        return found or {"pass": 0}

    def play(self, action):
        points = self.legal()[action]
        player = self.turn
        if action == "draw":
            self.small[player] = sorted(self.small[player] + [self.small_bag.pop(0)])
            self.drew = True
            self.token()
            return
        if action == "pass":
            self.passes += 1
            self.token()
        else:
            self.passes = 0
            self.points[player] += points
            tile, shown, gap = action.split(":")
            self.used[gap] = action
            number = int(tile[2:]) - 1
            if tile.startswith("sp"):
                order, face = tuple(map(int, shown[:3])), shown[3]
                self.on_small.update(self.small_vertices(gap, order, face))
                self.small[player].remove(number)
                if face == "-":
                    self.token()
            else:
                for place, value in enumerate(shown):
                    self.on_hex[(gap, place + 1)] = value
                self.hex[player].remove(number)
        last_turn = self.ran_out is not None and self.ran_out != player
        if not self.small[player] and self.ran_out is None:
            self.ran_out = player
        self.over = last_turn or self.passes == 2
        self.turn, self.drew = 1 - player, False

    def token(self):
        self.tokens[self.turn] += 1
        if self.tokens[self.turn] == TOKENS_FOR_A_TILE:
            self.tokens[self.turn] = 0
            if self.hex_bag:
                self.hex[self.turn] = sorted(self.hex[self.turn] + [self.hex_bag.pop(0)])

    def final_counts(self):
        left = [sum(max(self.pieces.small[kind]) for kind in hand) for hand in self.small]
        return [points - left for points, left in zip(self.points, left)]
