"""Clauses in Python, in whole audits: a move of which something is not known is legal only if it is legal
whatever that may be, illegal only if it is illegal whatever that may be.

Random moves of the made-up game in ``tests/ford`` over small boards; every completion is audited.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

from tiers import SEED, by_tier
from told import read
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.base import ExtendedRuleset

GAMES = by_tier(2, 50)
LEGEND = {".": "clear", "w": "wood", "b": "bog", "v": "village"}
HEXES = [f"{column:02}{row:02}" for column in range(1, 5) for row in range(1, 4)]
Choices = dict[str, tuple[str, ...]]
"""What may be, by what it is about: one value where it is known."""


def drawn(rng: Random) -> tuple[Choices, str]:
    """What may be of a game, and all else of it as the text of a case."""
    may: Choices = {name: (rng.choice("...wwbv"),) for name in HEXES}
    may["guns"] = ("yes", "no") if rng.random() < 0.5 else (rng.choice(("yes", "no")),)
    may["weather"] = ("dry", "wet") if rng.random() < 0.5 else (rng.choice(("dry", "wet")),)
    may["ma"] = (str(rng.randint(1, 5)),)
    at = rng.sample(HEXES, 4)
    may["kind"] = ("foot", "wheels") if rng.random() < 0.3 else (rng.choice(("foot", "wheels")),)
    open_hex = at[1] if rng.random() < 0.5 else rng.choice(HEXES)
    if rng.random() < 0.6:
        may[open_hex] = tuple(LEGEND)
    fords = " ".join(
        f"{a}/{b}"
        for a, b in (("0102", "0202"), ("0202", "0302"), ("0301", "0302"))
        if rng.random() < 0.7
    )
    lines = f'lines = ["ford: {fords}"]' if fords else ""
    way = f"{at[1]} " if rng.random() < 0.5 else ""
    text = f"""{lines}
units = ["a Red {at[0]} class=KIND guns=GUNS ma=MA", "b Red {at[1]} ma=3", "x Blue {at[2]}"]
moves = ["a: {at[0]} {way}{at[3]}"]
"""
    return may, text


def game(may: Choices, text: str) -> str:
    """The text of a case; what may be several things is not known in it."""

    def said(name: str) -> str:
        return may[name][0] if len(may[name]) == 1 else "?"

    rows = []
    for row in range(1, 4):
        for shift in (0, 1):
            signs = [said(f"{column:02}{row:02}") for column in range(1 + shift, 5, 2)]
            rows.append("  " * shift + "   ".join(signs))
    legend = "\n".join(
        f'"{sign}" = "{what}"' for sign, what in LEGEND.items() if what in ("clear", "wood")
    )
    words = {"KIND": said("kind"), "GUNS": said("guns"), "MA": said("ma")}
    for word, value in words.items():
        text = text.replace(word, value)
    weather = f'facts = ["weather={said("weather")}"]' if said("weather") != "?" else ""
    return f'''ruleset = "ford-game"
[legend]
{legend}
b = {{ terrain = ["clear"], features = ["bog"] }}
v = {{ terrain = ["clear"], features = ["village"] }}
[attributes]
class = "foot"
guns = "no"
ma = 4
[[case]]
id = "X"
title = "drawn"
kind = "unverifiable"
clauses = ["FORD-8"]
board = """
{chr(10).join(rows)}
"""
{weather}
{text}
expect = {{ verdict = "unverifiable" }}
'''


def verdict(may: Choices, text: str, ruleset: ExtendedRuleset) -> str:
    return run_case(read(game(may, text)), ruleset).verdict


def test_what_is_not_known_is_never_taken_for_something(ford: ExtendedRuleset) -> None:
    rng = Random(f"{SEED} own clauses")
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(GAMES):
        may, text = drawn(rng)
        found = verdict(may, text, ford)
        names = list(may)
        every = {
            verdict(dict(zip(names, ((one,) for one in chosen), strict=True)), text, ford)
            for chosen in product(*(may[name] for name in names))
        }
        if found != "unverifiable":
            assert every == {found}, game(may, text)
        seen[found, len(every) == 1 and every != {"unverifiable"}] += 1
    if GAMES > 10:  # so few may be of one kind
        assert {found for found, _ in seen} == {"legal", "illegal", "unverifiable"}
        assert seen["unverifiable", True] <= GAMES // 10, seen
